/** Import cycles: files in one cannot be read, or moved, one at a time. Type imports count too. */

import { targetOf, type Import } from './imports.ts'

/** The cycles met on a walk along the imports, each as the paths from a file back to itself. */
export function cyclesIn(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const each of imports) {
    const target = targetOf(each)
    if (target !== null) targets.set(each.from, [...(targets.get(each.from) ?? []), target])
  }
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path)
    if (seenAt !== -1) cycles.push([...trail.slice(seenAt), path])
    if (seenAt !== -1 || done.has(path)) return
    for (const next of targets.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) walk(path, [])
  return cycles
}
