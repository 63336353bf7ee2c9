/** Valid git branch names: the rules of `git check-ref-format --branch`. */

const longestBytes = 1000

/** Spaces, control characters, unpaired surrogates, and characters with a meaning in revisions. */
const forbidden = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\/\//u

export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || Buffer.byteLength(name) > longestBytes) {
    return false
  }
  if (forbidden.test(name) || name.startsWith('-') || name.startsWith('/')) return false
  if (name.endsWith('/') || name.endsWith('.')) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}
