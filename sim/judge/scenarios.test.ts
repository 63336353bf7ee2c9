import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agreesWithTheModel } from './agrees-with-the-model.ts'
import { runAndJudge } from './run-and-judge.ts'
import { propertiesOf } from './source.ts'
import { storyOf } from './story.ts'
import { loadScenario } from '../scenario/load.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => /^[^.]+\.json$/.test(file))
    .sort()
    .map((file) => `${folder}/${file}`)

const files = [...filesIn('scenarios'), ...filesIn('scenarios/negative')]

describe('every scenario holds, and a second run is identical', () => {
  test.each(files)('%s', (file) => {
    const scenario = loadScenario(file)
    const properties = propertiesOf({ kind: 'file', file, scenario }, scenario)
    const { failures } = runAndJudge(scenario, { properties, once: false })
    expect(failures.map(storyOf)).toEqual([])
  })

  // S-77
  test.each([
    [400, true],
    [401, false],
  ])('a file of %i pull requests is compared with the model: %s', (count, isCompared) => {
    const scenario = { name: 'long', traffic: { count, arrivals: { perHour: 10 } } }
    const properties = propertiesOf({ kind: 'file', file: 'long.json', scenario }, scenario)
    expect(properties.includes(agreesWithTheModel)).toBe(isCompared)
  })

  test.each(files)('%s has the name of its file and a description', (file) => {
    const { name, description } = loadScenario(file)
    expect(file.endsWith(`/${name}.json`)).toBe(true)
    expect(description).toMatch(/\w+.*[.?]$/)
  })
})
