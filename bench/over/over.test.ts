import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPostgresMissing } from '../../server/postgres/testing/private-postgres.ts'
import { type Spread, overCores } from '../../sim/campaign/over-cores.ts'
import { searched } from '../../sim/worst/worst.ts'
import { measured } from '../capacity/capacity.ts'
import type { Hunt } from '../../sim/defects/hunt.ts'
import type { HuntTask } from '../../sim/defects/hunt-worker.ts'
import { FarmWorker } from './farm-worker.ts'
import { removeCampaign } from './farm.ts'
import { runsOf, TestFarm } from './testing/test-farm.ts'

/** Enough for chunks of several seeds on each worker. */
const seeds = 24

describe.skipIf(isPostgresMissing())('a campaign over a database', () => {
  let db: TestFarm

  beforeAll(async () => {
    db = await TestFarm.start()
  })

  afterAll(() => db.remove())

  test(
    'given workers of which some are lost in mid-chunk, gives the same as one machine',
    { tags: ['matrix'] },
    async () => {
      const whole = await runsOf({ seeds, spread: overCores })
      const spread = await db.over(async (opened) => {
        let killed: Promise<unknown> = Promise.resolve()
        const [one, two] = [db.startWorker(), db.startWorker()]
        const onFirst = (): void => {
          killed = Promise.all([one.end('SIGKILL'), two.end('SIGKILL')])
          for (let more = 0; more < 3; more++) db.startWorker()
        }
        const running = runsOf({ seeds, spread: opened.spread, onFirst })
        // Whoever takes a chunk and says nothing any more is lost as well.
        await db.take()
        const runs = await running
        await killed
        expect(opened.note()).toMatch(/^ over \d workers$/)
        return runs
      })
      expect(spread).toEqual(whole)
    },
  )

  // S-333, S-337
  test('a search for headroom and one for the worst day give the same with workers as on one machine', async () => {
    const scenario = {
      name: 'stream',
      queue: { concurrency: 1, policy: 'documented' as const },
      traffic: { count: 20, arrivals: { everyMinutes: 10 } },
    }
    const { signal } = new AbortController()
    const budget = { text: '0.1s', seconds: 0.1 }
    const headroom = (spread: Spread): Promise<unknown> =>
      measured(
        { scenario, seeds: [1, 2], budget, limitMinutes: 480 },
        { spread, note: () => '', stderr: new PassThrough(), signal },
      )
    const worst = (spread: Spread): Promise<unknown> =>
      searched(
        { scenario, of: 'starvation', seeds: 60, events: 5000 },
        { spread, signal, onProgress: () => undefined },
      )
    const whole = [await headroom(overCores), await worst(overCores)]
    for (let each = 0; each < 2; each++) db.startWorker()
    const spread = await db.over(async (opened) => [
      await headroom(opened.spread),
      await worst(opened.spread),
    ])
    expect(spread).toEqual(whole)
    await db.endWorkers('SIGINT')
  })

  test('given an engine with a defect, workers find it', async () => {
    db.startWorker()
    const hunts: Hunt[] = []
    await db.over((opened) =>
      opened.spread<HuntTask, Hunt>({
        worker: {
          url: new URL('../../sim/defects/hunt-worker.js', import.meta.url),
          name: 'huntWorker',
        },
        tasks: [{ defect: 'one-slot-too-many', seedsAtMost: 50 }],
        onAnswer: (hunt) => hunts.push(hunt),
      }),
    )
    expect(hunts.map(({ noticed }) => noticed?.by)).toEqual([['agrees-with-the-model']])
    await db.endWorkers('SIGINT')
  })

  test(
    'given an interrupt, nothing stays handed out, and what was answered is reported',
    { tags: ['matrix'] },
    async () => {
      const interrupt = new AbortController()
      const runs = await db.over(async (opened) => {
        const { signal } = interrupt
        const running = runsOf({ seeds: 1000, spread: opened.spread, signal })
        await db.take()
        interrupt.abort()
        return running
      })
      expect(runs).toEqual([])
      const names = (await db.farm.boss.getQueues()).map(({ name }) => name)
      expect(names.filter((name) => name.startsWith('mergeyard-'))).toEqual([])
    },
  )

  test(
    'a worker does no campaign of another build, and says so',
    { tags: ['matrix'] },
    async () => {
      const queue = 'mergeyard-000000000000-00000000-00000000'
      await db.farm.boss.createQueue(queue)
      await db.farm.boss.send(queue, { place: 0, worker: 'seedWorker', tasks: '' })
      const stop = new AbortController()
      const said: string[] = []
      const say = (line: string): void => {
        said.push(line)
        stop.abort()
      }
      await new FarmWorker({ farm: db.farm, threads: 1, signal: stop.signal, say }).run()
      expect(said).toEqual(['1 of the campaigns wait for another build than this worker has'])
      expect(await db.farm.boss.getQueueSize(queue)).toBe(1)
      await removeCampaign(db.farm, { tasks: queue, said: `${queue}-said` })
    },
  )
})
