import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPostgresMissing } from '../../server/postgres/testing/private-postgres.ts'
import { packedJson } from './messages.ts'
import { runsOf, TestFarm } from './testing/test-farm.ts'

describe.skipIf(isPostgresMissing())('a campaign that its workers break', () => {
  let db: TestFarm

  beforeAll(async () => {
    db = await TestFarm.start()
  })

  afterAll(() => db.remove())

  test('given two workers with different answers to one chunk, the campaign fails', async () => {
    const broken = db.over(async (opened) => {
      const running = runsOf({ seeds: 30, spread: opened.spread })
      const { said, place } = await db.take()
      for (const answers of ['[{"runs":[]}]', '[{"runs":[],"other":1}]']) {
        await db.farm.boss.send(said, { place, answers: packedJson(answers), ms: 1 })
      }
      return running
    })
    await expect(broken).rejects.toThrow(/different answers to chunk \d+: one of their machines/)
  })

  test('given a chunk that ends every worker, the campaign fails and names its tasks', async () => {
    const broken = db.over(async (opened) => {
      const running = runsOf({ seeds: 5, spread: opened.spread })
      for (let tries = 0; tries < 3; tries++) {
        const { tasks, id } = await db.take()
        await db.farm.boss.fail(tasks, id)
      }
      return running
    })
    await expect(broken).rejects.toThrow(/chunk \d+ ended three workers: seedWorker of \{"source"/)
  })

  test('given a worker function that throws, the campaign throws the same', async () => {
    const broken = db.over(async (opened) => {
      const running = runsOf({ seeds: 5, spread: opened.spread })
      const { said, place } = await db.take()
      await db.farm.boss.send(said, { place, fault: 'no defect is called so' })
      return running
    })
    await expect(broken).rejects.toThrow('no defect is called so')
  })
})
