/**
 * Import cycles between folders. Folders in a cycle can only be understood or moved together. The
 * folder of a file is the one that directly contains it, at any depth, so a folder and one inside
 * it are two folders. Oxlint finds cycles between files.
 */

import { posix } from 'node:path'
import { targetOf, type Import, isTestCode } from './repository.ts'

/** An arrow from a folder to another, with all imports between them. */
export type Arrow = {
  readonly from: string
  readonly to: string
  /** `sim/run/a.ts:3 imports sim/world/b.ts` */
  readonly imports: readonly string[]
}

/**
 * Returns the arrows between folders, as `folderOf` names them. Imports of test code do not count:
 * tests may import any code, and no other code depends on them.
 */
export function arrowsOf(
  imports: readonly Import[],
  folderOf: (path: string) => string = (path) => posix.dirname(path),
): Arrow[] {
  const arrows = new Map<string, Arrow & { readonly imports: string[] }>()
  for (const each of imports) {
    const target = targetOf(each)
    if (target === null || isTestCode(each.from)) continue
    const [from, to] = [folderOf(each.from), folderOf(target)]
    if (from === to) continue
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, imports: [] }
    arrow.imports.push(`${each.place} imports ${target}`)
    arrows.set(`${from} ${to}`, arrow)
  }
  return [...arrows.values()]
}

/** Returns cycles: each is the list of arrows from a folder back to itself. */
export function cyclesIn<A extends Pick<Arrow, 'from' | 'to'>>(arrows: readonly A[]): A[][] {
  const cycles: A[][] = []
  const done = new Set<string>()
  const walk = (folder: string, path: readonly A[]): void => {
    const seenAt = path.findIndex(({ from }) => from === folder)
    if (seenAt !== -1) cycles.push(path.slice(seenAt))
    if (seenAt !== -1 || done.has(folder)) return
    for (const arrow of arrows) {
      if (arrow.from === folder) walk(arrow.to, [...path, arrow])
    }
    done.add(folder)
  }
  for (const { from } of arrows) walk(from, [])
  return cycles
}

/** Returns a cycle as text: its folders, and the first three imports of each arrow. */
export function cycleText(cycle: readonly Arrow[]): string {
  const folders = [...cycle.map(({ from }) => from), cycle[0]?.from].join(' -> ')
  const lines = cycle.flatMap(({ imports }) => imports.slice(0, 3)).map((line) => `\n  ${line}`)
  return `${folders}${lines.join('')}`
}
