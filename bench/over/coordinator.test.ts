import { expect, test, afterAll, beforeAll, describe } from 'vitest'
import { isPostgresMissing } from '../../server/postgres/testing/private-postgres.ts'
import { runsOf, TestFarm } from './testing/test-farm.ts'
import { connectionFault, createCampaign, openFarm, removeCampaign, shownAddress } from './farm.ts'
import { packedJson } from './messages.ts'
import { ChunkSize, KnownAhead } from './coordinator.ts'

const address = 'postgres://farm:s3cr%40t@db.example:5432/farm?sslmode=require'
const fault = (message: string, code: string): string =>
  connectionFault(address, 'sim', Object.assign(new Error(message), { code })).message

test('an address is shown without password and parameters', () => {
  expect(shownAddress(address)).toBe('postgres://farm@db.example:5432/farm')
})

test('given a wrong password, a fault says where a right one may come from', () => {
  expect(fault('password authentication failed for user "farm"', '28P01')).toBe(
    'sim: postgres://farm@db.example:5432/farm: expected the right password, in the address, in PGPASSWORD or in ~/.pgpass, got password authentication failed for user "farm"',
  )
})

test('a fault never shows the password, whatever the driver says, and has one line', () => {
  const shown = fault('no good: s3cr@t\nor s3cr%40t\nsecond', 'XX000')
  expect(shown).toContain('expected a PostgreSQL that can be used, got no good: *** or *** second')
  expect(shown.split('\n')).toHaveLength(1)
})

describe.skipIf(isPostgresMissing())('a campaign that its workers break', () => {
  let db: TestFarm

  beforeAll(async () => {
    db = await TestFarm.start()
  })

  afterAll(() => db.remove())

  test('given a database that is lost, what fails then says which', async () => {
    const { boss, pool } = await openFarm(db.address, 'sim')
    await pool.end()
    const words = `sim: ${shownAddress(db.address)}: expected a PostgreSQL that can be used, got Cannot use a`
    await expect(createCampaign({ boss, pool }, 1)).rejects.toThrow(words)
  })

  test('given a worker that speaks while its campaign is removed, the campaign is removed', async () => {
    const { boss, pool } = db.farm
    const campaign = await createCampaign(db.farm, 20)
    await pool.query(`create sequence removals;
      create function speak() returns trigger language plpgsql as $$ begin
        if nextval('removals') <= 2 then
          insert into mergeyard_farm.job (name) values ('${campaign.said}');
        end if;
        return null;
      end $$;
      create trigger speak after delete on mergeyard_farm.job execute function speak()`)
    await removeCampaign(db.farm, campaign)
    await pool.query('drop trigger speak on mergeyard_farm.job')
    expect(await boss.getQueues()).toEqual([])
  })

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

describe('the size of a chunk', () => {
  test('is one task until a worker has answered', () => {
    expect(new ChunkSize().next(1000, 4)).toBe(1)
  })

  test('grows by four at a time until a chunk takes about two seconds', () => {
    const size = new ChunkSize()
    const sizes = Array.from({ length: 5 }, () => {
      size.answered(1, 20)
      return size.next(100_000, 2)
    })
    expect(sizes).toEqual([4, 16, 64, 100, 100])
  })

  test('is one if a task takes longer than that', () => {
    const size = new ChunkSize()
    size.answered(1, 60_000)
    expect(size.next(1000, 1)).toBe(1)
  })

  test('shrinks towards the end, so that nobody waits long for the slowest', () => {
    const size = new ChunkSize()
    for (let step = 0; step < 5; step++) {
      size.answered(1, 20)
      size.next(100_000, 2)
    }
    expect([600, 300, 60, 6, 1].map((left) => size.next(left, 2))).toEqual([100, 50, 10, 1, 1])
  })
})

describe('tasks that are read ahead', () => {
  test('given endless ones, reads no more than asked for', () => {
    let read = 0
    function* endless(): Generator<number> {
      for (;;) yield read++
    }
    const tasks = new KnownAhead(endless())
    expect(tasks.knowing(5)).toBe(5)
    expect([tasks.take(3), tasks.take(3)]).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
    expect(read).toBe(6)
  })

  test('given an end, says how many are left', () => {
    const tasks = new KnownAhead([1, 2, 3])
    expect(tasks.knowing(10)).toBe(3)
    expect([tasks.take(2), tasks.take(2), tasks.take(2)]).toEqual([[1, 2], [3], []])
  })
})
