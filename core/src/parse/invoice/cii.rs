//! The names of UN/CEFACT's Cross Industry Invoice (D16B: Factur-X, ZUGFeRD 2, XRechnung) and of its draft that
//! ZUGFeRD 1 uses.

use super::{
    codes,
    rules::{
        Column, Field, Group,
        Group::{Buyer, Charges, Delivery, Header, Lines, OtherParties, Payment, References, Seller, Totals, Vat},
        Syntax, TableRule,
        What::{Amount, Code, Percent, Text, Unless},
    },
};

/// The syntax.
pub(super) static SYNTAX: Syntax = Syntax {
    canonical,
    qualifiers: &[
        ("SpecifiedTaxRegistration", "ID/@schemeID"),
        ("SpecifiedTradeAllowanceCharge", "ChargeIndicator/Indicator"),
        ("AdditionalReferencedDocument", "TypeCode"),
    ],
    fields: FIELDS,
    parties: PARTIES,
    party: PARTY,
    tables: TABLES,
    notes: &["ExchangedDocument/IncludedNote/Content"],
    pairs: &["ApplicableProductCharacteristic"],
    binary: "AttachmentBinaryObject",
    transparent: &["DateTimeString", "DateString"],
};

/// ZUGFeRD 1's names, which the standard changed; those of references are told apart by their place.
fn canonical(name: &str) -> &str {
    match name {
        "SpecifiedExchangedDocumentContext" => "ExchangedDocumentContext",
        "HeaderExchangedDocument" => "ExchangedDocument",
        "SpecifiedSupplyChainTradeTransaction" => "SupplyChainTradeTransaction",
        "ApplicableSupplyChainTradeAgreement" => "ApplicableHeaderTradeAgreement",
        "ApplicableSupplyChainTradeDelivery" => "ApplicableHeaderTradeDelivery",
        "ApplicableSupplyChainTradeSettlement" => "ApplicableHeaderTradeSettlement",
        "SpecifiedTradeSettlementMonetarySummation" => "MonetarySummation",
        "SpecifiedTradeSettlementHeaderMonetarySummation" => "MonetarySummation",
        "SpecifiedTradeSettlementLineMonetarySummation" => "MonetarySummation",
        "SpecifiedSupplyChainTradeAgreement" => "SpecifiedLineTradeAgreement",
        "SpecifiedSupplyChainTradeDelivery" => "SpecifiedLineTradeDelivery",
        "SpecifiedSupplyChainTradeSettlement" => "SpecifiedLineTradeSettlement",
        "ApplicablePercent" => "RateApplicablePercent",
        "FormattedIssueDateTime" => "IssueDateTime",
        name => name,
    }
}

macro_rules! transaction {
    ($($part:literal),*) => {
        concat!("SupplyChainTradeTransaction/", $($part),*)
    };
}
macro_rules! agreement {
    ($part:literal) => {
        transaction!("ApplicableHeaderTradeAgreement/", $part)
    };
}
macro_rules! delivery {
    ($part:literal) => {
        transaction!("ApplicableHeaderTradeDelivery/", $part)
    };
}
macro_rules! settlement {
    ($part:literal) => {
        transaction!("ApplicableHeaderTradeSettlement/", $part)
    };
}

const FIELDS: &[Field] = &[
    ("ExchangedDocument/ID", Header, "Invoice number", Text),
    ("ExchangedDocument/Name", Header, "Document name", Text),
    ("ExchangedDocument/TypeCode", Header, "Invoice type code", Code(codes::document_type)),
    ("ExchangedDocument/IssueDateTime", Header, "Invoice issue date", Text),
    (settlement!("InvoiceCurrencyCode"), Header, "Invoice currency code", Text),
    (settlement!("TaxCurrencyCode"), Header, "VAT accounting currency code", Text),
    (agreement!("BuyerReference"), Header, "Buyer reference", Text),
    (
        "ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID",
        Group::Further,
        "Business process type",
        Text,
    ),
    (
        "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID",
        Group::Further,
        "Specification identifier",
        Text,
    ),
    (agreement!("BuyerOrderReferencedDocument/IssuerAssignedID"), References, "Purchase order reference", Text),
    (agreement!("BuyerOrderReferencedDocument/ID"), References, "Purchase order reference", Text),
    (agreement!("BuyerOrderReferencedDocument/IssueDateTime"), References, "Purchase order date", Text),
    (agreement!("SellerOrderReferencedDocument/IssuerAssignedID"), References, "Sales order reference", Text),
    (agreement!("SellerOrderReferencedDocument/ID"), References, "Sales order reference", Text),
    (agreement!("ContractReferencedDocument/IssuerAssignedID"), References, "Contract reference", Text),
    (agreement!("ContractReferencedDocument/ID"), References, "Contract reference", Text),
    (agreement!("AdditionalReferencedDocument[50]/IssuerAssignedID"), References, "Tender or lot reference", Text),
    (agreement!("AdditionalReferencedDocument[50]/TypeCode"), References, "", Unless("50")),
    (agreement!("AdditionalReferencedDocument[130]/IssuerAssignedID"), References, "Invoiced object identifier", Text),
    (agreement!("AdditionalReferencedDocument[130]/TypeCode"), References, "", Unless("130")),
    (agreement!("AdditionalReferencedDocument/IssuerAssignedID"), References, "Supporting document reference", Text),
    (agreement!("AdditionalReferencedDocument/ID"), References, "Supporting document reference", Text),
    (agreement!("AdditionalReferencedDocument/Name"), References, "Supporting document description", Text),
    (agreement!("AdditionalReferencedDocument/URIID"), References, "External document location", Text),
    (agreement!("AdditionalReferencedDocument/TypeCode"), References, "", Unless("916")),
    (agreement!("SpecifiedProcuringProject/ID"), References, "Project reference", Text),
    (agreement!("SpecifiedProcuringProject/Name"), References, "Project name", Text),
    (settlement!("InvoiceReferencedDocument/IssuerAssignedID"), References, "Preceding Invoice reference", Text),
    (settlement!("InvoiceReferencedDocument/IssueDateTime"), References, "Preceding Invoice issue date", Text),
    (settlement!("ReceivableSpecifiedTradeAccountingAccount/ID"), References, "Buyer accounting reference", Text),
    (delivery!("ActualDeliverySupplyChainEvent/OccurrenceDateTime"), Delivery, "Actual delivery date", Text),
    (delivery!("DespatchAdviceReferencedDocument/IssuerAssignedID"), Delivery, "Despatch advice reference", Text),
    (delivery!("ReceivingAdviceReferencedDocument/IssuerAssignedID"), Delivery, "Receiving advice reference", Text),
    (delivery!("DeliveryNoteReferencedDocument/IssuerAssignedID"), Delivery, "Delivery note reference", Text),
    (delivery!("DeliveryNoteReferencedDocument/ID"), Delivery, "Delivery note reference", Text),
    (settlement!("BillingSpecifiedPeriod/StartDateTime"), Delivery, "Invoicing period start date", Text),
    (settlement!("BillingSpecifiedPeriod/EndDateTime"), Delivery, "Invoicing period end date", Text),
    (settlement!("MonetarySummation/LineTotalAmount"), Totals, "Sum of Invoice line net amount", Amount),
    (settlement!("MonetarySummation/AllowanceTotalAmount"), Totals, "Sum of allowances on document level", Amount),
    (settlement!("MonetarySummation/ChargeTotalAmount"), Totals, "Sum of charges on document level", Amount),
    (settlement!("MonetarySummation/TaxBasisTotalAmount"), Totals, "Invoice total amount without VAT", Amount),
    (settlement!("MonetarySummation/TaxTotalAmount"), Totals, "Invoice total VAT amount", Amount),
    (settlement!("MonetarySummation/GrandTotalAmount"), Totals, "Invoice total amount with VAT", Amount),
    (settlement!("MonetarySummation/TotalPrepaidAmount"), Totals, "Paid amount", Amount),
    (settlement!("MonetarySummation/RoundingAmount"), Totals, "Rounding amount", Amount),
    (settlement!("MonetarySummation/DuePayableAmount"), Totals, "Amount due for payment", Amount),
    (settlement!("SpecifiedTradePaymentTerms/Description"), Payment, "Payment terms", Text),
    (settlement!("SpecifiedTradePaymentTerms/DueDateDateTime"), Payment, "Payment due date", Text),
    (
        settlement!("SpecifiedTradePaymentTerms/ApplicableTradePaymentDiscountTerms/CalculationPercent"),
        Payment,
        "Payment discount percentage",
        Percent,
    ),
    (
        settlement!("SpecifiedTradePaymentTerms/ApplicableTradePaymentDiscountTerms/BasisAmount"),
        Payment,
        "Payment discount base amount",
        Amount,
    ),
    (
        settlement!("SpecifiedTradePaymentTerms/ApplicableTradePaymentDiscountTerms/ActualDiscountAmount"),
        Payment,
        "Payment discount amount",
        Amount,
    ),
    (settlement!("SpecifiedTradePaymentTerms/DirectDebitMandateID"), Payment, "Mandate reference identifier", Text),
    (settlement!("PaymentReference"), Payment, "Remittance information", Text),
    (settlement!("CreditorReferenceID"), Payment, "Bank assigned creditor identifier", Text),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/TypeCode"),
        Payment,
        "Payment means type code",
        Code(codes::payment_means),
    ),
    (settlement!("SpecifiedTradeSettlementPaymentMeans/Information"), Payment, "Payment means text", Text),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID"),
        Payment,
        "Payment account identifier (IBAN)",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/ProprietaryID"),
        Payment,
        "Payment account identifier",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/AccountName"),
        Payment,
        "Payment account name",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/BICID"),
        Payment,
        "Payment service provider identifier (BIC)",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/Name"),
        Payment,
        "Payment service provider name",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/PayerPartyDebtorFinancialAccount/IBANID"),
        Payment,
        "Debited account identifier (IBAN)",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/ApplicableTradeSettlementFinancialCard/ID"),
        Payment,
        "Payment card primary account number",
        Text,
    ),
    (
        settlement!("SpecifiedTradeSettlementPaymentMeans/ApplicableTradeSettlementFinancialCard/CardholderName"),
        Payment,
        "Payment card holder name",
        Text,
    ),
];

const PARTIES: &[(&str, Group, &str)] = &[
    (agreement!("SellerTradeParty"), Seller, "Seller"),
    (agreement!("BuyerTradeParty"), Buyer, "Buyer"),
    (agreement!("SellerTaxRepresentativeTradeParty"), OtherParties, "Seller tax representative"),
    (agreement!("SalesAgentTradeParty"), OtherParties, "Sales agent"),
    (agreement!("BuyerAgentTradeParty"), OtherParties, "Buyer agent"),
    (agreement!("ProductEndUserTradeParty"), OtherParties, "Product end user"),
    (delivery!("ShipToTradeParty"), Delivery, "Deliver to"),
    (delivery!("UltimateShipToTradeParty"), Delivery, "Ultimately deliver to"),
    (delivery!("ShipFromTradeParty"), Delivery, "Deliver from"),
    (settlement!("InvoicerTradeParty"), OtherParties, "Invoicer"),
    (settlement!("InvoiceeTradeParty"), OtherParties, "Invoicee"),
    (settlement!("PayeeTradeParty"), OtherParties, "Payee"),
    (settlement!("PayerTradeParty"), OtherParties, "Payer"),
];

const PARTY: &[Column] = &[
    ("Name", "name", Text),
    ("ID", "identifier", Text),
    ("GlobalID", "identifier", Text),
    ("Description", "additional legal information", Text),
    ("RoleCode", "role code", Text),
    ("SpecifiedLegalOrganization/ID", "legal registration identifier", Text),
    ("SpecifiedLegalOrganization/TradingBusinessName", "trading name", Text),
    ("PostalTradeAddress/LineOne", "address line 1", Text),
    ("PostalTradeAddress/LineTwo", "address line 2", Text),
    ("PostalTradeAddress/LineThree", "address line 3", Text),
    ("PostalTradeAddress/PostcodeCode", "post code", Text),
    ("PostalTradeAddress/CityName", "city", Text),
    ("PostalTradeAddress/CountrySubDivisionName", "country subdivision", Text),
    ("PostalTradeAddress/CountryID", "country code", Text),
    ("SpecifiedTaxRegistration[VA]/ID", "VAT identifier", Text),
    ("SpecifiedTaxRegistration[FC]/ID", "tax registration identifier", Text),
    ("URIUniversalCommunication/URIID", "electronic address", Text),
    ("DefinedTradeContact/PersonName", "contact point", Text),
    ("DefinedTradeContact/DepartmentName", "contact department", Text),
    ("DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber", "contact telephone number", Text),
    ("DefinedTradeContact/FaxUniversalCommunication/CompleteNumber", "contact fax number", Text),
    ("DefinedTradeContact/EmailURIUniversalCommunication/URIID", "contact email address", Text),
    ("DefinedTradeContact/EmailURIUniversalCommunication/CompleteNumber", "contact email address", Text),
];

const TABLES: &[TableRule] = &[
    TableRule { rows: &[transaction!("IncludedSupplyChainTradeLineItem")], group: Lines, columns: LINE },
    TableRule { rows: &[settlement!("ApplicableTradeTax")], group: Vat, columns: TAX },
    TableRule {
        rows: &[settlement!("SpecifiedTradeAllowanceCharge"), settlement!("SpecifiedLogisticsServiceCharge")],
        group: Charges,
        columns: CHARGE,
    },
];

const LINE: &[Column] = &[
    ("AssociatedDocumentLineDocument/LineID", "Position", Text),
    ("SpecifiedTradeProduct/SellerAssignedID", "Article number", Text),
    ("SpecifiedTradeProduct/BuyerAssignedID", "Buyer's article number", Text),
    ("SpecifiedTradeProduct/GlobalID", "Item standard identifier", Text),
    ("SpecifiedTradeProduct/Name", "Item name", Text),
    ("SpecifiedTradeProduct/Description", "Item description", Text),
    ("", super::rules::ATTRIBUTES, Text),
    ("SpecifiedTradeProduct/DesignatedProductClassification/ClassCode", "Item classification", Text),
    ("SpecifiedTradeProduct/OriginTradeCountry/ID", "Item country of origin", Text),
    ("AssociatedDocumentLineDocument/IncludedNote/Content", "Note", Text),
    ("SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument/IssuerAssignedID", "Purchase order reference", Text),
    ("SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument/LineID", "Purchase order line", Text),
    ("SpecifiedLineTradeDelivery/DeliveryNoteReferencedDocument/IssuerAssignedID", "Delivery note reference", Text),
    ("SpecifiedLineTradeDelivery/DeliveryNoteReferencedDocument/ID", "Delivery note reference", Text),
    ("SpecifiedLineTradeDelivery/DespatchAdviceReferencedDocument/IssuerAssignedID", "Despatch advice reference", Text),
    ("SpecifiedLineTradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime", "Actual delivery date", Text),
    ("SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/StartDateTime", "Period start date", Text),
    ("SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/EndDateTime", "Period end date", Text),
    ("SpecifiedLineTradeDelivery/BilledQuantity", "Quantity", Text),
    ("SpecifiedLineTradeDelivery/BilledQuantity@unitCode", "Unit", Code(codes::unit)),
    ("SpecifiedLineTradeDelivery/PackageQuantity", "Package quantity", Text),
    ("SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/ChargeAmount", "Item gross price", Amount),
    ("SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/BasisQuantity", "Gross price base quantity", Text),
    (
        "SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ActualAmount",
        "Item price discount",
        Amount,
    ),
    (
        "SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ChargeIndicator/Indicator",
        "",
        Unless("false"),
    ),
    ("SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount", "Item net price", Amount),
    ("SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity", "Price base quantity", Text),
    ("SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge[false]/ActualAmount", "Line allowance", Amount),
    ("SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge[true]/ActualAmount", "Line charge", Amount),
    ("SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge/Reason", "Allowance or charge reason", Text),
    (
        "SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge/ChargeIndicator/Indicator",
        "",
        Code(codes::charge_indicator),
    ),
    ("SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode", "VAT category", Code(codes::vat_category)),
    ("SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent", "VAT rate", Percent),
    ("SpecifiedLineTradeSettlement/ApplicableTradeTax/ExemptionReason", "VAT exemption reason", Text),
    ("SpecifiedLineTradeSettlement/ApplicableTradeTax/TypeCode", "", Unless("VAT")),
    ("SpecifiedLineTradeSettlement/ReceivableSpecifiedTradeAccountingAccount/ID", "Buyer accounting reference", Text),
    ("SpecifiedLineTradeSettlement/AdditionalReferencedDocument[130]/IssuerAssignedID", "Object identifier", Text),
    ("SpecifiedLineTradeSettlement/AdditionalReferencedDocument[130]/TypeCode", "", Unless("130")),
    ("SpecifiedLineTradeSettlement/MonetarySummation/LineTotalAmount", "Line net amount", Amount),
];

const TAX: &[Column] = &[
    ("CategoryCode", "VAT category", Code(codes::vat_category)),
    ("RateApplicablePercent", "VAT rate", Percent),
    ("BasisAmount", "Taxable amount", Amount),
    ("CalculatedAmount", "VAT amount", Amount),
    ("LineTotalBasisAmount", "Lines in the taxable amount", Amount),
    ("AllowanceChargeBasisAmount", "Allowances and charges in the taxable amount", Amount),
    ("ExemptionReason", "Exemption reason", Text),
    ("ExemptionReasonCode", "Exemption reason code", Text),
    ("TaxPointDate", "Value added tax point date", Text),
    ("DueDateTypeCode", "Value added tax point date code", Text),
    ("TypeCode", "", Unless("VAT")),
];

const CHARGE: &[Column] = &[
    ("ChargeIndicator/Indicator", "Kind", Code(codes::charge_indicator)),
    ("Reason", "Reason", Text),
    ("Description", "Reason", Text),
    ("ReasonCode", "Reason code", Text),
    ("CalculationPercent", "Percentage", Percent),
    ("BasisAmount", "Base amount", Amount),
    ("ActualAmount", "Amount", Amount),
    ("AppliedAmount", "Amount", Amount),
    ("CategoryTradeTax/CategoryCode", "VAT category", Code(codes::vat_category)),
    ("AppliedTradeTax/CategoryCode", "VAT category", Code(codes::vat_category)),
    ("CategoryTradeTax/RateApplicablePercent", "VAT rate", Percent),
    ("AppliedTradeTax/RateApplicablePercent", "VAT rate", Percent),
    ("CategoryTradeTax/TypeCode", "", Unless("VAT")),
    ("AppliedTradeTax/TypeCode", "", Unless("VAT")),
];
