/** Text that is safe to stand in a page. Whatever else is put between it is escaped. */

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand between pieces of HTML: text and numbers are escaped, nothing shows nothing. */
export type Content = Html | string | number | null | undefined | readonly Content[]

/** `html`<b>${anything}</b>``: the template is taken as it is, and every value is escaped. */
export function html(pieces: TemplateStringsArray, ...values: readonly Content[]): Html {
  const texts = withoutIndent(pieces).map((piece, index) => piece + textOf(values[index]))
  return new Html(texts.join(''))
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Templates are indented for those who read the source; pages need not carry that. */
function withoutIndent(pieces: TemplateStringsArray): readonly string[] {
  const seen = known.get(pieces)
  if (seen) return seen
  const lean = pieces.map((piece) => piece.replaceAll(/\n\s*/g, '\n'))
  known.set(pieces, lean)
  return lean
}

/** HTML that was made here, by a library or by hand, and holds no unescaped text from outside. */
export function trusted(text: string): Html {
  return new Html(text)
}

/** Where several things stand in a row with the same between them. */
export function joined(parts: readonly Content[], between: string): Html {
  return new Html(parts.map(textOf).join(escaped(between)))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe as text and inside a quoted attribute. Control characters, which no page may hold, go. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(/[^\P{Cc}\n\t]/gu, '\u{FFFD}')
}

function textOf(content: Content): string {
  if (content === null || content === undefined) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escaped(String(content))
}
