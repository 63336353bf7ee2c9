/** What git takes as the name of a branch: the rules of `git check-ref-format --branch`. */

const longestBytes = 1000

/** Spaces, control characters, halves of a character, and what has a meaning in revisions. */
const banned = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\/\//u

export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || Buffer.byteLength(name) > longestBytes) {
    return false
  }
  if (banned.test(name) || name.startsWith('-') || name.startsWith('/')) return false
  if (name.endsWith('/') || name.endsWith('.')) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}
