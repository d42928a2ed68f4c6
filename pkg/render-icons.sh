#!/usr/bin/env bash
# Draws the PNG icons from the two SVG ones, with Chromium. For whoever changes an SVG; the results are committed.
set -euo pipefail
cd "$(dirname "$0")/static/icons"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

# draw SVG SIZE PNG
draw() {
  local page="$profile/page.html"
  printf '<style>*{margin:0}img{display:block;width:%spx;height:%spx}</style><img src="file://%s">' \
    "$2" "$2" "$PWD/$1" > "$page"
  # Headless windows may not be smaller than a limit, so the picture is cut by the window only at larger sizes.
  "${CHROME:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile/data" \
    --force-device-scale-factor=1 --default-background-color=00000000 --window-size="$2,$2" \
    --screenshot="$PWD/$3" "file://$page" 2> "$profile/log" || { cat "$profile/log"; exit 1; }
}

draw icon.svg 192 icon-192.png
draw icon.svg 512 icon-512.png
draw icon-maskable.svg 180 apple-touch-icon.png
draw icon-maskable.svg 512 icon-maskable-512.png
