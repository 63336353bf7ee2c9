/** The lists of a result: the merge order, the pull requests and the test runs. */

import type { Event, PullRequestNumber } from '../../engine/index.ts'
import type { ResultProjection, EndedRun, ResultContext } from './result-projection.ts'
import { PullRequestList } from './pull-request-list.ts'
import { TestRunList } from './test-run-list.ts'

export class ListsProjection implements ResultProjection {
  readonly mergeOrder: PullRequestNumber[] = []
  readonly pullRequests = new PullRequestList()
  readonly testRuns = new TestRunList()

  onEvent(event: Event, context: ResultContext): void {
    if (event.type === 'tipMoved' && event.number !== null) this.mergeOrder.push(event.number)
    this.pullRequests.onEvent(event, context)
  }

  onRunEnd(ended: EndedRun): void {
    this.testRuns.onRunEnd(ended)
  }
}
