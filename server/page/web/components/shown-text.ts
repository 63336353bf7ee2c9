/** Text that somebody else wrote, made fit to be shown: a title, a name, the name of a test. */

const mostCharacters = 200

/**
 * Characters that nobody sees: controls, those that change the direction of the text, and those without
 * a meaning. Two joiners stay, because emoji and some scripts need them.
 */
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu

const pictures = 0x24_00

/** Returns the text with its unseen characters as signs, and at most 200 characters of it. */
export function shownText(text: string): string {
  // A character takes up to two units, so a longer text needs no further look.
  const start = Array.from(text.slice(0, 2 * mostCharacters + 2))
  const isCut = start.length > mostCharacters
  const kept = isCut ? start.slice(0, mostCharacters - 1) : start
  return `${kept.join('').replaceAll(unseen, signOf)}${isCut ? '…' : ''}`
}

/** The output of a program, of any length: lines and tabs stay, colours of a terminal go. */
export function shownLines(text: string): string {
  const [first = '', ...more] = text.split('\u001B')
  const colourless = [first, ...more.map((each) => each.replace(/^\[[\d;?]*[A-Za-z]/, ''))]
  const plain = colourless.join('').replaceAll('\r\n', '\n')
  return plain.replaceAll(unseen, (each) => (each === '\n' || each === '\t' ? each : signOf(each)))
}

/** Unicode has a picture for each old control character; the others are shown by their number. */
function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(pictures + code)
  if (code === 0x7f) return '␡'
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}

/** Returns the address if a link may lead there: a page of the web, and nothing that runs code. */
export function safeUrl(url: string | null): string | null {
  if (url === null) return null
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}

// The number of a run, which people can say and remember; its id is a uuid that ends with it.

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4}([0-9a-f]{8})$/

/** Returns what is no uuid as it is. */
export function runNumber(id: string): string {
  const [, digits] = uuid.exec(id) ?? []
  return digits === undefined ? id : String(Number.parseInt(digits, 16))
}
