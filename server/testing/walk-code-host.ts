/** A client that is the code host itself: it tells what it sees, and answers the merges it is asked for. */

import type * as wire from '../contract/wire.ts'
import { main, type Client } from './client.ts'
import type { Contract } from './contract.ts'
import { start, temporaryFolder } from './test-server.ts'

const pr = { number: 7 }
const commit = '4a5e1e4baab89f3a32518a88c31bc87f618f7667'

/** The states of pull request 7 on its way, and how three others end. */
export async function walkCodeHost(contract: Contract) {
  const { client, stop } = await start(temporaryFolder(), { contract })
  await client.ok('createQueue', { ...main, directMergeMode: 'always' })
  await client.ok('attachCodeHost', { ...main, codeHost: 'answers' })
  const about = { ...main, pr }
  const states: string[] = []
  const look = async (): Promise<wire.SubmittedPullRequest> => {
    const seen = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', about)
    states.push(seen.state)
    return seen
  }
  await client.ok('reportPullRequest', { ...about, title: 'Pay twice', mergeable: false })
  await client.ok('submitPullRequest', about)
  await look()
  await client.ok('reportPullRequest', { ...about, mergeable: true })
  await look()
  await passes(client)
  const { mergeRequested: asked } = await look()
  await client.ok('finishMerge', { ...about, outcome: 'targetMoved' })
  await client.ok('reportPush', { ...main, commit })
  await look()
  await passes(client)
  await client.ok('finishMerge', { ...about, outcome: 'merged', commits: [commit] })
  await look()
  const direct = await others(client)
  await stop()
  return { asked, states, direct }
}

/** Reports that the run in progress has passed. */
async function passes(client: Client): Promise<void> {
  const testRunId = await runOf(client)
  await client.ok('reportTestRun', { testRunId, outcome: 'passed' })
}

async function runOf(client: Client): Promise<string> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  return testRuns.at(-1)?.testRunId ?? ''
}

/** 8 is green on the tip and merges without a run, 9 is merged by hand, 10 cannot be built. */
async function others(client: Client): Promise<string[]> {
  const of = (number: number) => ({ ...main, pr: { number } })
  await client.ok('reportPullRequest', { ...of(8), greenOnTip: true })
  await client.ok('submitPullRequest', of(8))
  await client.ok('finishMerge', { ...of(8), outcome: 'merged', commits: [commit] })
  await client.ok('submitPullRequest', of(9))
  await client.ok('reportManualMerge', { ...of(9), commit })
  await client.ok('submitPullRequest', of(10))
  const testRunId = await runOf(client)
  await client.ok('reportUnbuildable', { ...of(10), testRunId, conflictsWith: null })
  const ends: string[] = []
  for (const number of [8, 9, 10]) {
    const seen = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', of(number))
    ends.push(seen.state)
  }
  return ends
}
