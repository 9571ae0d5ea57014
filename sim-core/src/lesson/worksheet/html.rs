//! Text as HTML, and the styles of the worksheet.

/// Escapes a text for elements and attributes.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters are not displayed and not needed.
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// An element with text in it, which is escaped.
pub(super) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", escape(text))
}

/// The whole document.
pub(super) fn document(language: &str, title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLES}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

/// Black on white, for A4 and Letter: the text is as wide as the narrower of both less the margins.
const STYLES: &str = "@page { margin: 14mm 15mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 180mm; font: 10pt/1.32 Georgia, 'Times New Roman', serif; color: #000; background: #fff; }
h1 { font-size: 17pt; margin: 0; }
h2 { font-size: 11.5pt; margin: 2.6mm 0 0.8mm; border-top: 0.3mm solid #000; padding-top: 1mm; }
p, ul, ol, table, figure { margin: 0.8mm 0; }
.head { font-size: 9pt; margin: 0 0 1mm; }
.hint { font-size: 9pt; font-style: italic; }
.question { break-inside: avoid; margin: 1.4mm 0; }
.question > p { font-weight: bold; }
ol.options { list-style: none; padding: 0; }
ol.options li { margin: 0.6mm 0; }
.tick { display: inline-block; width: 3.6mm; height: 3.6mm; border: 0.3mm solid #000; vertical-align: -0.5mm; margin-right: 1.5mm; }
.place { display: inline-block; width: 8mm; height: 6mm; border: 0.3mm solid #000; vertical-align: middle; margin-right: 2mm; }
.number { display: inline-block; width: 34mm; height: 8mm; border: 0.4mm solid #000; vertical-align: middle; margin-right: 2mm; }
.blank { display: inline-block; min-width: 14mm; border-bottom: 0.3mm solid #000; height: 1em; }
.line { border-bottom: 0.25mm solid #000; height: 6.5mm; }
ol.row { display: flex; flex-wrap: wrap; gap: 1mm 6mm; }
table { border-collapse: collapse; }
th, td { border: 0.25mm solid #000; padding: 0.7mm 2mm; text-align: left; min-width: 30mm; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font: 10px Georgia, 'Times New Roman', serif; fill: #000; }
.teacher { break-before: page; }
.teacher ul { padding-left: 5mm; }
.teacher, .teacher h2 { font-size: 8.5pt; line-height: 1.25; }
.teacher h1 { font-size: 13pt; }
.teacher h2 { margin-top: 1.4mm; padding-top: 0.6mm; }
.teacher p, .teacher ul, .teacher table { margin: 0.5mm 0; }
.teacher th, .teacher td { padding: 0.2mm 2mm; }
.teacher svg { width: 105mm; }
.teacher .hint { font-size: 8pt; }
@media screen { body { padding: 10mm; } .teacher { margin-top: 20mm; } }
";
