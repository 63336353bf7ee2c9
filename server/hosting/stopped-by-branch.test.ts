import { expect, test } from 'vitest'
import { testBranchPrefix } from './testers.ts'
import { hostedWorld } from './testing/hosted-world.ts'

//
test('given a main that fails by itself, nobody leaves, the status says who pushed it, and a push that mends it goes on', async () => {
  const world = await hostedWorld({ tests: { kind: 'external' }, set: { tipTestMode: 'always' } })
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  const failedTests = [{ name: 'builds' }]
  world.send({ type: 'finishTestRun', testRun: 1, outcome: 'failed', failedTests })

  const placed = () =>
    world.repository.refs().filter((ref) => ref.startsWith(`${testBranchPrefix}0/`))
  await expect.poll(placed).toHaveLength(1)
  const [branch = ''] = placed()
  const main = await world.repository.oidOf('main')
  expect(await world.repository.oidOf(`${branch}^`)).toBe(main)
  world.send({ type: 'finishTestRun', testRun: 2, outcome: 'failed', failedTests })
  await expect
    .poll(() => world.host().status().faults)
    .toEqual([
      expect.stringMatching(
        `main fails by itself since ${main.slice(0, 12)} by .+: builds; nobody leaves for it`,
      ),
    ])
  await world.untilState('PENDING_FAILURE', 1)

  await world.repository.commit('refs/heads/main', { 'mended.txt': 'yes\n' })
  await expect.poll(() => world.host().commitOf(3)).not.toBeNull()
  world.send({ type: 'finishTestRun', testRun: 3, outcome: 'passed' })
  await expect.poll(() => world.host().commitOf(4)).not.toBeNull()
  world.send({ type: 'finishTestRun', testRun: 4, outcome: 'passed' })
  await world.untilState('MERGED', 1)
  expect(world.host().status().faults).toEqual([])
})
