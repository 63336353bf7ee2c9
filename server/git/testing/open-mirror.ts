/** A mirror as `hosting` works on it: its refs are read, and its folder is made. */

import { Mirror, type MirrorOptions } from '../mirror.ts'

/** Rejects with `GitFailed` if the repository cannot be read. */
export async function openMirror(
  folder: string,
  url: string,
  options: MirrorOptions = {},
): Promise<Mirror> {
  const mirror = new Mirror(folder, url, options)
  await mirror.readRefs(['HEAD'])
  await mirror.prepare()
  return mirror
}
