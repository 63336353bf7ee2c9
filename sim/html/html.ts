/** HTML text that is safe in a page. Every other value in a template is escaped. */

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in an HTML template. Text and numbers are escaped; null and undefined render nothing. */
export type HtmlContent = Html | string | number | null | undefined | readonly HtmlContent[]

/** `html`<b>${value}</b>``: keeps the template unchanged and escapes every value. */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlContent[]): Html {
  const texts = withoutIndent(pieces).map((piece, index) => piece + textOf(values[index]))
  return new Html(texts.join(''))
}

const cache = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Removes the indentation of a template, which only serves the source code. */
function withoutIndent(pieces: TemplateStringsArray): readonly string[] {
  const cached = cache.get(pieces)
  if (cached) return cached
  const stripped = pieces.map((piece) => piece.replaceAll(/\n\s*/g, '\n'))
  cache.set(pieces, stripped)
  return stripped
}

/** Wraps HTML from this program or a library. It must contain no unescaped text from outside. */
export function trusted(text: string): Html {
  return new Html(text)
}

/** Joins the parts with the same text between them. */
export function joined(parts: readonly HtmlContent[], between: string): Html {
  return new Html(parts.map(textOf).join(escaped(between)))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for element content and quoted attributes, and replaces control characters. */
export function escaped(text: string): string {
  return printable(text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character))
}

/** Replaces control characters, which could end the page early. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\u{FFFD}')
}

function textOf(content: HtmlContent): string {
  if (content === null || content === undefined) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escaped(String(content))
}

/** Marks a text as CSS, so that the formatter formats it. */
export const css = String.raw
