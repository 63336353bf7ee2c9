import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const assets = new URL('../../../page/assets/', import.meta.url)

function compressed(ending: string): number {
  const files = readdirSync(assets).filter((name) => name.endsWith(ending))
  expect(files.length, `no ${ending}: run npm run pages`).toBeGreaterThan(0)
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, assets))).length, 0)
}

test('the page has its first words before any script', () => {
  const shell = readFileSync(new URL('../index.html', assets), 'utf8')
  expect(shell).toMatch(/<body>.*Mergeyard.*Loading/s)
})

test('the live page has less than 40 kB of script and 10 kB of style, compressed', () => {
  expect(compressed('.js')).toBeLessThan(40_000)
  expect(compressed('.css')).toBeLessThan(10_000)
})
