/** The recorded answers of GitHub: `WRITE_TABLES=1` writes them anew from their story. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { published } from '../../../server/github/testing/shapes.ts'
import { historyOf } from '../../../sim/import/github/history.ts'
import { importedGitHub } from '../../../sim/import/github/imported-github.ts'
import { readGitHub } from '../../../sim/import/github/read-folder.ts'
import { shopStory } from '../../../sim/import/testing/shop-story.ts'
import { answersOf } from './testing/as-github.ts'

/** Relative to the compiled file, which is one folder deeper than this one. */
const folder = fileURLToPath(new URL('../../../../sim/import/testing/github/shop', import.meta.url))

/** One object of a list a line. */
function textOf(body: unknown): string {
  if (!Array.isArray(body)) return `${JSON.stringify(body)}\n`
  return `[\n${body.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`
}

const answers = answersOf(shopStory.records)

test('the recorded answers are those of their story', () => {
  if (process.env['WRITE_TABLES'] === '1') rmSync(folder, { recursive: true, force: true })
  for (const { file, body } of answers) {
    const path = join(folder, `${file}.json`)
    if (process.env['WRITE_TABLES'] === '1') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, textOf(body))
    }
    expect(readFileSync(path, 'utf8'), file).toBe(textOf(body))
  }
})

test.each(answers)("$file is what GitHub's own document says", ({ path, body }) => {
  const operation = published.operationOf('GET', path)
  if (!operation) throw new Error(`no operation for ${path}`)
  expect(published.faultsOfAnswer(operation, 200, body)).toEqual([])
})

// S-255, S-256
test('the folder becomes the same scenario as its story', () => {
  const options = {
    ...{ branch: null, last: 500, withReleases: false, withoutBots: false, queueLabel: null },
  }
  const { scenario } = importedGitHub(historyOf(readGitHub(folder, 'shop'), options), {
    ...{ name: 'shop', busier: 1 },
  })
  expect(scenario).toEqual(shopStory.imported().scenario)
})
