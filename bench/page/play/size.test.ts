import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { siteFolder } from '../testing/site.ts'

/** The compressed size of the files whose names match, in bytes. */
function compressed(name: RegExp): number {
  const files = readdirSync(siteFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`))
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
}

test('the playground is less than 200 kB, compressed, with all that it loads later', () => {
  expect(compressed(/./)).toBeLessThan(200_000)
})

test('its style is less than 10 kB, and no file has code that makes code', () => {
  expect(compressed(/\.css$/)).toBeLessThan(10_000)
  const scripts = readdirSync(new URL('assets/', siteFolder)).filter((name) => name.endsWith('.js'))
  const withCode = scripts.filter((name) =>
    /\bnew Function\(|\beval\(/.test(readFileSync(new URL(`assets/${name}`, siteFolder), 'utf8')),
  )
  expect(scripts.length).toBeGreaterThan(2)
  expect(withCode).toEqual([])
})
