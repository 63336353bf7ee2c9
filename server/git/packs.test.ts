import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { git } from './git.ts'
import { packObjects } from './packs.ts'
import { at, main, makeBare, write } from './testing/commits.ts'

async function bare() {
  const folder = join(temporaryFolder(), 'mirror.git')
  makeBare(folder)
  await write(folder, { ref: main, files: { 'shop.txt': 'open\n' } })
  const inIt = (args: readonly string[], input = ''): Promise<string> =>
    git(['--git-dir', folder, ...args], { input })
  const blob = async (text: string): Promise<string> =>
    (await inIt(['hash-object', '-w', '--stdin'], text)).trim()
  const packs = (): number =>
    readdirSync(join(folder, 'objects/pack')).filter((name) => name.endsWith('.pack')).length
  return { folder, inIt, blob, packs }
}

test('objects in very many packs are put together, also those that no ref names', async () => {
  const { folder, inIt, blob, packs } = await bare()
  const blobs: string[] = []
  for (let each = 0; each < 51; each++) {
    const oid = await blob(`fetched ${each}\n`)
    blobs.push(oid)
    await inIt(['pack-objects', '--quiet', join(folder, 'objects/pack/pack')], `${oid}\n`)
  }
  expect(packs()).toBeGreaterThan(50)
  await packObjects(folder)
  expect(packs()).toBeLessThan(10)
  const checked = await inIt(['cat-file', '--batch-check'], `${blobs.join('\n')}\n`)
  expect(checked).not.toContain('missing')
  expect(await inIt(['rev-parse', main])).toBe(`${at(folder, main)}\n`)
})

test('few files are left as they are', async () => {
  const { folder, inIt, blob, packs } = await bare()
  const oid = await blob('composed\n')
  const before = packs()
  await packObjects(folder)
  expect(packs()).toBe(before)
  expect(readdirSync(join(folder, 'objects', oid.slice(0, 2)))).toContain(oid.slice(2))
  expect(await inIt(['cat-file', '-t', oid])).toBe('blob\n')
})

test('very many objects in files of their own are put together', async () => {
  const { folder, blob, packs } = await bare()
  const shelf = join(folder, 'objects/17')
  for (let each = 0, made = 0; made < 28; each++) {
    const text = `composed ${each}\n`
    const oid = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex')
    // One of the 256 folders stands for all of them.
    if (!oid.startsWith('17')) continue
    await blob(text)
    made++
  }
  expect(packs()).toBe(0)
  expect(readdirSync(shelf)).toHaveLength(28)
  await packObjects(folder)
  expect(packs()).toBe(1)
  expect(existsSync(shelf)).toBe(false)
})
