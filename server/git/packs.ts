/**
 * Objects of a mirror come with each fetch and each composition, in files of their own, and the more files, the slower
 * each call of git. Here they are put together; none is removed, because a composition may stand on what no ref names.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fetchTimeoutMs } from './damage.ts'
import { git } from './git.ts'

/** As git counts by default: packs, and loose objects in one of the 256 folders over which they are spread evenly. */
const mostPacks = 50
const mostLoose = 27

/** Puts the objects together if they are in too many files. Others may use the mirror meanwhile. */
export async function packObjects(folder: string): Promise<void> {
  const objects = join(folder, 'objects')
  const packs = namesIn(join(objects, 'pack')).filter((name) => name.endsWith('.pack'))
  if (packs.length <= mostPacks && namesIn(join(objects, '17')).length <= mostLoose) return
  const quietly = ['--quiet', '--no-write-bitmap-index', '-n']
  const args = ['--git-dir', folder, '-c', 'pack.threads=1', 'repack', '--geometric=2', '-d']
  await git([...args, '-l', ...quietly], { timeoutMs: fetchTimeoutMs })
}

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder) : []
