/** Paths that patterns of the settings name. */

import picomatch from 'picomatch'

/** True for a path that one of the patterns matches. Hidden files count, and so does any name that git can hold. */
export function pathFilter(patterns: readonly string[]): (path: string) => boolean {
  // Without the flag, `**` does not match a name with a line end.
  return patterns.length === 0 ? () => false : picomatch([...patterns], { dot: true, flags: 's' })
}
