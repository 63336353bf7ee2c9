import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compressed } from '../testing/compressed.ts'
import { siteFolder } from '../testing/site.ts'

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
