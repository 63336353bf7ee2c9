/** Checks that the sample report in the repository is up to date. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { recordAt } from './contents.ts'
import { jsonOf } from './repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('reports/sample/ holds the report that npm run sim writes', () => {
  const mergeyard = String(recordAt(jsonOf('package.json'), 'bin')['mergeyard'])
  const args = ['sim', 'scenarios/two-culprits.json', '--report', folder]
  const env = { ...process.env, INIT_CWD: process.cwd() }
  execFileSync(process.execPath, [mergeyard, ...args], { env })
  for (const file of ['report.html', 'result.json', 'summary.txt']) {
    const isSame = readFileSync(join('reports/sample', file)).equals(
      readFileSync(join(folder, file)),
    )
    const advice = 'npm run sim -- scenarios/two-culprits.json --report reports/sample'
    expect(isSame, `${file} is out of date: ${advice}`).toBe(true)
  }
})

test('the picture in the README is a PNG below 200 kB', () => {
  const picture = readFileSync('reports/sample/flaky-storm.png')
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.length, 'node .ci/picture.mjs').toBeLessThan(200_000)
})
