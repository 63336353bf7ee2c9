import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compressed } from '../testing/compressed.ts'

const page = new URL('../../../page/', import.meta.url)

test('the page has its first words before any script', () => {
  const shell = readFileSync(new URL('index.html', page), 'utf8')
  expect(shell).toMatch(/<body>.*Mergeyard.*Loading/s)
})

test('the live page has less than 40 kB of script and 10 kB of style, compressed', () => {
  expect(compressed(page, /\.js$/)).toBeLessThan(40_000)
  expect(compressed(page, /\.css$/)).toBeLessThan(10_000)
})
