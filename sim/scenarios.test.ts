import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runAndJudge } from './command-line/run-file.ts'
import { propertiesOf } from './command-line/source.ts'
import { storyOf } from './command-line/story.ts'
import { loadScenario } from './scenario/load.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .sort()
    .map((file) => `${folder}/${file}`)

const files = [...filesIn('scenarios'), ...filesIn('scenarios/negative')]

describe('every scenario holds, and goes the same way twice', () => {
  test.each(files)('%s', (file) => {
    const scenario = loadScenario(file)
    const properties = propertiesOf({ kind: 'file', file, scenario }, scenario)
    const { failures } = runAndJudge(scenario, { properties, once: false })
    expect(failures.map(storyOf)).toEqual([])
  })

  test.each(files)('%s is named for its file, and says what it shows', (file) => {
    const { name, description } = loadScenario(file)
    expect(file.endsWith(`/${name}.json`)).toBe(true)
    expect(description).toMatch(/\w+.*[.?]$/)
  })
})
