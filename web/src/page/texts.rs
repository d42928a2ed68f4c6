//! Every word that a user reads on the page, in one place, so that a second language can come.
//!
//! Not for sentences that the core makes (why a file could not be read): those arrive whole. Sentences say what happened
//! and what to do now; nothing here blames, jokes or shouts.

mod answer;
mod facts;
mod models;
mod vectors;

pub(crate) use answer::*;
pub(crate) use facts::*;
pub(crate) use models::*;
pub(crate) use vectors::*;

pub(crate) const PRODUCT: &str = "Millwright";
pub(crate) const HOME: &str = "Millwright, to the beginning";

// The bar.
pub(crate) const ENGINE_STARTING: &str = "Starting …";
pub(crate) const ENGINE_RESTARTING: &str = "Starting again …";
pub(crate) const ENGINE_STOPPED: &str = "Stopped";
pub(crate) const OFFLINE: &str = "Offline – everything here still works";
pub(crate) const TO_LIGHT: &str = "Light appearance";
pub(crate) const TO_DARK: &str = "Dark appearance";

// The question.
pub(crate) const QUESTION_LABEL: &str = "Ask your documents";
pub(crate) const QUESTION_PLACEHOLDER: &str = "Ask, or type a part number";
pub(crate) const CLEAR_QUESTION: &str = "Clear the question";
pub(crate) const SEARCHING: &str = "Searching …";
pub(crate) const WAITING_FOR_ENGINE: &str = "Starting; the answer comes in a moment …";
pub(crate) const MORE_PASSAGES: &str = "More passages";
pub(crate) const NOT_FOUND_SUGGESTIONS: [&str; 3] = [
    "Use fewer words, or the words that the manual itself would use.",
    "Type part numbers and codes as they are printed, for example SKU-48291 or E21.",
    "Check under Documents that the right manual is there and that its text could be read.",
];

// The two panes of a narrow screen.
pub(crate) const TABS: &str = "What to show";
pub(crate) const TAB_ANSWERS: &str = "Answers";

// A passage.
pub(crate) const PATH_SEPARATOR: &str = " › ";
pub(crate) const LIST_SEPARATOR: &str = ", ";
pub(crate) const FACT_SEPARATOR: &str = " · ";
pub(crate) const KIND_TABLE: &str = "Table";
pub(crate) const KIND_ROW: &str = "Row";
pub(crate) const KIND_CODE: &str = "Code";
pub(crate) const NOTE: &str = "Note";
pub(crate) const FIGURE: &str = "Picture";
pub(crate) const COMMENT: &str = "Comment";
pub(crate) const HIDDEN_CELLS: &str = "Some of this table is hidden in the document; here it is shown, dimmed.";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const SHOW_WHOLE: &str = "Show the whole passage";
pub(crate) const SHOW_LESS: &str = "Show less";
pub(crate) const WHY: &str = "Why this passage";
pub(crate) const WHY_RANK: &str = "Rank";
pub(crate) const WHY_MATCHED: &str = "Has";
pub(crate) const WHY_MISSING: &str = "Lacks";
pub(crate) const WHY_BM25: &str = "Words (BM25)";
pub(crate) const WHY_IDENTIFIERS: &str = "Numbers and codes";
pub(crate) const WHY_PROXIMITY: &str = "Words close together";
pub(crate) const WHY_COSINE: &str = "Nearness in meaning (cosine)";
pub(crate) const WHY_SCORE: &str = "Score in all";
pub(crate) const WHY_TRACK: &str = "Found by";

// All candidates of a question.
pub(crate) const WHY_THESE: &str = "Why these";
pub(crate) const CANDIDATES: &str = "All candidates, best first";
pub(crate) const CANDIDATES_CAPTION: &str = "Every passage that was considered, best first, with what each step said of it. A dash: not applicable, the step did not run or the document has no such thing.";
pub(crate) const NOT_APPLICABLE: &str = "not applicable";

// A document.
pub(crate) const OPENING: &str = "Opening …";
pub(crate) const CLOSE_DOCUMENT: &str = "Back to the answers";
pub(crate) const CLOSE_DOCUMENT_HINT: &str = "Back to the answers (Esc)";
pub(crate) const DOWNLOAD: &str = "Original";
pub(crate) const DOWNLOAD_HINT: &str = "Save the original file";
pub(crate) const DOCUMENT_GONE: &str = "This document is not in the library any more.";

// The library.
pub(crate) const LIBRARY: &str = "Documents";
pub(crate) const ADD_FILES: &str = "Add files";
pub(crate) const ADD_FOLDER: &str = "Add folder";
pub(crate) const FILTER_LABEL: &str = "Filter by name";
pub(crate) const FILTER_EMPTY: &str = "No document has this in its name.";
pub(crate) const LIBRARY_EMPTY: &str = "No documents yet.";
pub(crate) const SELECT: &str = "Select";
pub(crate) const SELECT_ALL: &str = "Select all";
pub(crate) const SELECT_DONE: &str = "Done";
pub(crate) const DELETE: &str = "Delete";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const NO_TEXT: &str = "No text was found in it, so no question finds it.";
pub(crate) const WAITS_TO_BE_READ_ANEW: &str = "Waits to be read again; until then nothing in it is found.";
pub(crate) const CLEAR: &str = "Clear the library";
pub(crate) const CLEAR_ASK: &str =
    "This removes every document and everything kept about them from this browser. It cannot be undone.";
pub(crate) const CLEAR_YES: &str = "Remove everything";
pub(crate) const CLEAR_NO: &str = "Keep everything";
pub(crate) const KEEP: &str = "Keep these documents";
pub(crate) const KEEP_HINT: &str = "Ask the browser never to clear them by itself";
pub(crate) const KEEP_REFUSED: &str = "The browser did not agree. It keeps the documents as long as there is room; installing Millwright as an app or bookmarking it often helps.";

// Adding.
pub(crate) const CHOOSE_FILES: &str = "Choose files";
pub(crate) const CHOOSE_FOLDER: &str = "Choose a folder";
pub(crate) const TRY_SAMPLES: &str = "Try it with sample documents";
pub(crate) const DROP_HERE: &str = "Drop files or folders here";
pub(crate) const DROP_NOW: &str = "Drop to add";
pub(crate) const FORMATS: &str = "PDF · Word (DOCX) · Excel (XLSX, XLSM, XLSB, XLS) · OpenDocument (ODT, ODS) · CSV and TSV · Markdown · HTML · plain text · e-mail (EML) · electronic invoices (XML) · pictures (PNG, JPEG, TIFF)";
pub(crate) const NOTHING_TO_ADD: &str = "There is nothing in it that could be added.";
pub(crate) const BATCH: &str = "Adding files";
pub(crate) const STOP: &str = "Stop";
pub(crate) const PASSWORD_NEEDED: &str =
    "It is protected with a password. Type it to have the file read; the password is kept nowhere.";
pub(crate) const PASSWORD: &str = "Password";
pub(crate) const PASSWORD_WRONG: &str = "This password does not open it. Type it again, or leave the file out.";
pub(crate) const PASSWORD_GIVE: &str = "Open";
pub(crate) const PASSWORD_SKIP: &str = "Leave it out";
pub(crate) const STOPPING: &str = "Stopping …";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const SHOW_FILES: &str = "Show files";
pub(crate) const HIDE_FILES: &str = "Hide files";

// Beginning.
pub(crate) const BEGINNING_TITLE: &str = "Ask your own documents";
pub(crate) const BEGINNING: &str =
    "Add manuals, parts lists, invoices or logs, ask in plain words, and get the passage that answers, with its page.";
pub(crate) const PRIVACY: &str = "Everything stays on this computer and works without a network.";
pub(crate) const INVITATION_TITLE: &str = "What do you need to know?";
pub(crate) const INVITATION: &str =
    "Ask in your own words, or type a part number, an error code or a setting as it is printed.";
pub(crate) const EXAMPLES: &str = "Examples";
pub(crate) const EXAMPLE_QUESTIONS: [&str; 3] =
    ["What does error E21 mean?", "SKU-48291", "How do I replace the mechanical seal?"];
pub(crate) const KEY_HELP: [(&str, &str); 4] =
    [("/", "Ask"), ("↑ ↓", "Move among passages"), ("Enter", "Open"), ("Esc", "Go back")];

// What must be known.
pub(crate) const VERSION_MISMATCH: &str =
    "This page and its engine are of different versions. Please reload; nothing in your library is lost.";
pub(crate) const RELOAD: &str = "Reload";
pub(crate) const WRITER_ELSEWHERE: &str =
    "Another Millwright tab is adding and removing documents; this one follows along.";
pub(crate) const WRITER_ELSEWHERE_SHORT: &str =
    "Another Millwright tab adds and removes documents. Do it there, or close that tab.";
pub(crate) const MEMORY_ONLY: &str = "This browser does not let Millwright keep anything here (a private window, or storage is blocked). Documents added now are gone when the tab is closed.";
pub(crate) const NEARLY_FULL: &str =
    "The room for documents is nearly used up. Delete what is no longer needed, or free space on this computer.";
pub(crate) const UPDATE_READY: &str = "A new version is ready.";
pub(crate) const UPDATE_NOW: &str = "Reload now";
pub(crate) const LATER: &str = "Later";
