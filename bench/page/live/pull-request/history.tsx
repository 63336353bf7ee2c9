/** What happened to a pull request: its steps, its runs, its earlier submissions. */

import type { VNode } from 'preact'
import type {
  EarlierSubmission,
  PullRequestRun,
  TimelineStep,
} from '../../../../server/page/answers.ts'
import { lasting } from '../../parts/clock-words.ts'
import { lookOf, runLook } from '../../parts/looks.ts'
import { StateWord } from '../../parts/mark.tsx'
import { serverNow } from '../model/server-clock.ts'
import { listed } from '../state/consequences.ts'
import { At, Foreign, RunName } from '../pieces/texts.tsx'

export function Steps({ steps }: { steps: readonly TimelineStep[] }): VNode {
  return (
    <ol class="steps">
      {steps.map(({ at, text, run }, index) => (
        <li key={index}>
          <At instant={at} />
          <span>
            <Foreign text={text} />
            {run !== null && (
              <span class="soft">
                {' '}
                (<RunName id={run} />)
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Roles are given, because a table that is drawn as cards loses them in some browsers. */
export function Runs({ runs }: { runs: readonly PullRequestRun[] }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Test runs">
      <table class="runs" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {['Run', 'Verdict', 'Started', 'Took', 'Tested', 'On top of'].map((column) => (
              <th scope="col" role="columnheader" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {runs.map((run) => (
            <RunLine key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RunLine({ run }: { run: PullRequestRun }): VNode {
  const isOver = run.outcome !== null
  const end = run.endedAt === null ? serverNow.value : Date.parse(run.endedAt)
  return (
    <tr role="row" data-run={run.id}>
      <th scope="row" role="rowheader">
        <RunName id={run.id} url={run.url} />
        {run.ofBisection !== null && <span class="flag is-quiet">bisection</span>}
      </th>
      <td role="cell">
        <StateWord look={runLook(run)} />
      </td>
      <td role="cell">
        <At instant={run.startedAt} />
      </td>
      <td role="cell">
        {isOver && run.endedAt === null ? 'unknown' : lasting(end - Date.parse(run.startedAt))}
        {!isOver && ' so far'}
      </td>
      <td role="cell">{listed(run.tested)}</td>
      <td role="cell">{run.base.length === 0 ? 'the branch' : listed(run.base)}</td>
    </tr>
  )
}

export function Earlier({ earlier }: { earlier: readonly EarlierSubmission[] }): VNode {
  return (
    <ul class="ended-list">
      {earlier.map(({ submittedAt, endedAt, state, why }) => (
        <li key={submittedAt} class={`is-${state.toLowerCase()}`}>
          <p class="ended-head">
            <StateWord look={lookOf(state, false)} />
            <span class="soft">
              <At instant={submittedAt} /> to <At instant={endedAt} />
            </span>
          </p>
          <p class="why">
            <Foreign text={why} />
          </p>
        </li>
      ))}
    </ul>
  )
}
