import { readFileSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { siteFolder } from './testing/in-browser.ts'

const page = new URL('../../page/', import.meta.url)

test('the page has its first words before any script', () => {
  const shell = readFileSync(new URL('index.html', page), 'utf8')
  expect(shell).toMatch(/<body>.*Mergeyard.*Loading/s)
})

test('the live page has less than 40 kB of script and 10 kB of style, compressed', () => {
  expect(compressed(page, /\.js$/)).toBeLessThan(40_000)
  expect(compressed(page, /\.css$/)).toBeLessThan(10_000)
})

test('the playground is less than 200 kB, compressed, with all that it loads later', () => {
  expect(compressed(siteFolder, /./)).toBeLessThan(200_000)
})

test('its style is less than 10 kB, and no file has code that makes code', () => {
  expect(compressed(siteFolder, /\.css$/)).toBeLessThan(10_000)
  const scripts = readdirSync(new URL('assets/', siteFolder)).filter((name) => name.endsWith('.js'))
  const withCode = scripts.filter((name) =>
    /\bnew Function\(|\beval\(/.test(readFileSync(new URL(`assets/${name}`, siteFolder), 'utf8')),
  )
  expect(scripts.length).toBeGreaterThan(2)
  expect(withCode).toEqual([])
})

// The size of built files as a browser loads them.

/** The compressed size of the files of a folder whose names match, in bytes. Throws if there are none. */
function compressed(folder: URL, name: RegExp): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`))
  if (files.length === 0) throw new Error(`${folder.pathname} is not built: run npm run pages`)
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
}
