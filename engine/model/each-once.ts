/**
 * A list without what it names twice.
 *
 * Lists of targets may be as long as a request may be, and a set of all names takes as much memory
 * as their text. So they are sorted into classes by a cheap hash, and looked at a class at a time.
 */

/** About so many names are in a set at once, where the hash spreads them. */
const namesPerClass = 1 << 14

/** A class is a byte; the one above all others is for what was named before. */
const repeated = 255

/** Each name where it comes first. Where nothing comes twice, the list itself. */
export function eachOnce(names: readonly string[]): readonly string[] {
  const classes = Math.min(repeated, Math.ceil(names.length / namesPerClass))
  const classOf = new Uint8Array(names.length)
  if (classes > 1) for (const [at, name] of names.entries()) classOf[at] = hashOf(name) % classes
  let repetitions = 0
  for (let each = 0; each < classes; each++) repetitions += markRepeated(names, classOf, each)
  return repetitions === 0 ? names : names.filter((_, at) => classOf[at] !== repeated)
}

/** Answers how many of a class were named before. */
function markRepeated(names: readonly string[], classOf: Uint8Array, each: number): number {
  const seen = new Set<string>()
  let count = 0
  for (let at = classOf.indexOf(each); at !== -1; at = classOf.indexOf(each, at + 1)) {
    count++
    const name = names[at] ?? ''
    if (seen.has(name)) classOf[at] = repeated
    else seen.add(name)
  }
  return count - seen.size
}

/** Only spreads: whoever makes all names fall into one class gains nothing but a larger set. */
function hashOf(name: string): number {
  let hash = 0
  for (let at = 0; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) >>> 0
  return hash
}
