/** The lists of a result: who merged in which order, and what became of everybody and every run. */

import type { Event, PullRequestNumber } from '../../engine/index.ts'
import type { Book, EndedRun, Seen } from './book.ts'
import { PullRequestList } from './pull-request-list.ts'
import { TestRunList } from './test-run-list.ts'

export class ListsBook implements Book {
  readonly mergeOrder: PullRequestNumber[] = []
  readonly pullRequests = new PullRequestList()
  readonly testRuns = new TestRunList()

  see(event: Event, seen: Seen): void {
    if (event.type === 'tipMoved' && event.number !== null) this.mergeOrder.push(event.number)
    this.pullRequests.see(event, seen)
  }

  seeEnd(ended: EndedRun): void {
    this.testRuns.seeEnd(ended)
  }
}
