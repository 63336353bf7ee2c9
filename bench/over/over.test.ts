import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { isPostgresMissing } from '../../server/postgres/testing/private-postgres.ts'
import { overCores } from '../../sim/campaign/over-cores.ts'
import type { Hunt, HuntTask } from '../../sim/defects/hunt.ts'
import { CliFolder } from '../cli/testing/cli-folder.ts'
import { FarmWorker } from './farm-worker.ts'
import { removeCampaign } from './farm.ts'
import { runsOf, TestFarm } from './testing/test-farm.ts'

const home = new CliFolder()

/** Enough for chunks of several seeds on each worker. */
const seeds = 24

describe.skipIf(isPostgresMissing())('a campaign over a database', () => {
  let db: TestFarm

  beforeAll(async () => {
    db = await TestFarm.start()
  })

  afterAll(() => db.remove())

  test('gives the same as one machine although workers are lost', matrix, async () => {
    const whole = await runsOf({ seeds, spread: overCores })
    const spread = await db.over(async (opened) => {
      let killed: Promise<unknown> = Promise.resolve()
      const [one, two] = [db.startWorker(), db.startWorker()]
      const onFirst = (): void => {
        killed = Promise.all([one.end('SIGKILL'), two.end('SIGKILL')])
        for (let more = 0; more < 3; more++) db.startWorker()
      }
      const running = runsOf({ seeds, spread: opened.spread, onFirst })
      // A worker that takes a chunk and says nothing any more is lost as well.
      await db.take()
      const runs = await running
      await killed
      expect(opened.note()).toMatch(/^ over \d workers$/)
      return runs
    })
    expect(spread).toEqual(whole)
  })

  const stream = home.scenario('stream', {
    queue: { concurrency: 1, policy: 'documented' },
    traffic: { count: 8, arrivals: { everyMinutes: 10 }, breakRate: 0.2 },
  })

  // S-63, S-333, S-337, S-343
  test('every command that takes workers writes the same bytes with them as on one machine', async () => {
    const commands = [
      ['sim', '--seeds', '12', '--json', '--no-report'],
      ['sim', '--exhaustive', '--states', '20', '--json', '--no-report'],
      ['soak', '--seeds', '1..3', '--json', '--no-report'],
      ['capacity', stream, '--budget', '0.1s', '--json', '--no-report'],
      ['worst', stream, '--of', 'starvation', '--seeds', '20', '--events', '1500'],
      ['tune', stream, '--seeds', '10', '--budget', '0.1s', '--json', '--no-report'],
      ['compare', stream, '--seeds', '2', '--best', 'never', '--json', '--no-report'],
    ]
    for (let each = 0; each < 2; each++) db.startWorker()
    for (const args of commands) {
      const whole = await home.run(args)
      expect(whole, args.join(' ')).toMatchObject({ code: 0, err: '' })
      const { code, out, err } = await home.run([...args, '--over', db.address])
      expect({ args, code, out }, err).toEqual({ args, code: 0, out: whole.out })
    }
    await db.endWorkers('SIGINT')
  })

  test('given an engine with a defect, workers find it', async () => {
    db.startWorker()
    const hunts: Hunt[] = []
    await db.over((opened) =>
      opened.spread<HuntTask, Hunt>({
        worker: {
          url: new URL('../../sim/defects/hunt.js', import.meta.url),
          name: 'huntWorker',
        },
        tasks: [{ defect: 'one-slot-too-many', seedsAtMost: 50 }],
        onAnswer: (hunt) => hunts.push(hunt),
      }),
    )
    expect(hunts.map(({ noticed }) => noticed?.by)).toEqual([['agrees-with-the-model']])
    await db.endWorkers('SIGINT')
  })

  test('after an interrupt nothing is handed out, and answers are reported', matrix, async () => {
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
  })

  test('a worker does no campaign of another build, and says so', matrix, async () => {
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
  })
})
