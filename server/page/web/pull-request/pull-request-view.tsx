/** The page of one pull request: where it is and why, and how it came there. */

import type { ComponentChildren, VNode } from 'preact'
import type {
  PullRequestPage,
  PullRequestRun,
  QueueHead,
  TimelineStep,
  Row,
  MemberDetails,
} from '../../frame.ts'
import { lasting, timeInQueue, estimateWords } from '../components/time-words.ts'
import { lookOf, runLook, StateWord } from '../components/mark.tsx'
import { safeUrl, runNumber } from '../components/shown-text.ts'
import { Section } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { useAnswer } from '../model/ask.ts'
import { addressOf } from '../model/route.ts'
import { serverNow, liveness, pageState } from '../model/watched-queue.ts'
import { maySubmit } from '../model/session.ts'
import {
  Ask,
  Star,
  At,
  Elapsed,
  Foreign,
  PullRequestLink,
  Refusal,
  RunName,
} from '../texts/texts.tsx'
import { Banners, Opening } from '../queue/banners.tsx'
import { FailedTests } from '../queue/lists.tsx'
import { EndOfLog, OnePage } from './run-view.tsx'
import { listed } from '../state/consequences.ts'
import { hasLeft, type PageState } from '../state/fold.ts'

export function PullRequestView({ number }: { number: number }): VNode {
  const state = pageState.value
  const row = state?.rows.get(number)
  const isLive = liveness.value.kind === 'live'
  const place = state ? placeIn(state, number) : ''
  const address = addressOf('pull-request', { number: `${number}` })
  const loaded = useAnswer<PullRequestPage>(address, () => [row, place, isLive])
  if (!state || !loaded) return <Opening />
  const { refusal } = loaded
  const isMissing = refusal?.kind === 'refused' && refusal.status === 404
  const page = isMissing ? null : loaded.body
  return (
    <OnePage>
      <Banners queue={state.queue} />
      <Refusal error={isMissing ? null : refusal?.error} />
      {page === null ? (
        <Unknown number={number} />
      ) : (
        <Known page={row ? { ...page, row } : page} queue={state.queue} />
      )}
    </OnePage>
  )
}

/** Changes whenever its group or its bisection does. */
function placeIn({ line: { groups, bisections } }: PageState, number: number): string {
  const parts = [...groups, ...bisections].filter(({ members }) => members.includes(number))
  return JSON.stringify(parts)
}

function Unknown({ number }: { number: number }): VNode {
  return (
    <>
      <h1>#{number}</h1>
      <p>It was never submitted to this queue, or its history is no longer kept.</p>
    </>
  )
}

type KnownProps = { readonly page: PullRequestPage; readonly queue: QueueHead }

function Known({ page, queue }: KnownProps): VNode {
  const { row, stoodOn, stack, runs, timeline, earlier, why } = page
  return (
    <>
      <Summary row={row} queue={queue} />
      {stack.length > 0 && <Stack page={page} queue={queue} />}
      {why && <Why row={row} why={why} />}
      {stoodOn.length > 0 && (
        <Section title={hasLeft(row) ? 'It stood on' : 'It stands on'}>
          <ol class="chain row">
            <li class="tip sheet cut">
              <Foreign text={queue.targetBranch} />
            </li>
            {stoodOn.map((number) => (
              <li class="sheet cut" key={number}>
                <PullRequestLink row={pageState.value?.rows.get(number) ?? { number }} />
              </li>
            ))}
            <li class="sheet cut">
              <b>#{row.number}</b>
            </li>
          </ol>
        </Section>
      )}
      <Section title="What happened">
        <Steps steps={timeline} />
      </Section>
      {runs.length > 0 && (
        <Section title="Test runs">
          <Runs runs={runs} />
        </Section>
      )}
      {earlier.length > 0 && (
        <Section title="Earlier submissions">
          <Earlier earlier={earlier} />
        </Section>
      )}
    </>
  )
}

type WhyProps = {
  readonly row: Row
  readonly why: NonNullable<PullRequestPage['why']>
}

/** The runs that prove it, the tests, with whom it conflicts, and the end of the log: what `mergeyard why` says. */
function Why({ row, why }: WhyProps): VNode | null {
  const { runs, conflictsWith, logOf } = why
  const tests = row.member?.evidence?.failedTests ?? []
  const hasFailed = row.state === 'FAILED'
  if (runs.length === 0 && conflictsWith === null && tests.length === 0) return null
  return (
    <Section title={runs.length > 1 || hasFailed ? 'Evidence' : 'Its last run'}>
      {conflictsWith !== null && (
        <p>
          It conflicts with{' '}
          <PullRequestLink
            row={pageState.value?.rows.get(conflictsWith) ?? { number: conflictsWith }}
          />
          .
        </p>
      )}
      <dl class={`evidence sheet row${hasFailed ? ' is-bad' : ''}`}>
        {runs.map(({ testRunId, outcome, tested, base }) => (
          <div class="row" key={testRunId}>
            <dt class="soft">
              <StateWord look={runLook({ outcome })} />
            </dt>
            <dd>
              <RunName id={testRunId} /> of {listed(tested)}
              {base.length > 0 && ` on top of ${listed(base)}`}
            </dd>
          </div>
        ))}
        <FailedTests tests={tests} most={50} />
      </dl>
      {logOf !== null && <EndOfLog run={runNumber(logOf)} />}
    </Section>
  )
}

// What happened to a pull request: its steps, its runs, its earlier submissions.

function Steps({ steps }: { steps: readonly TimelineStep[] }): VNode {
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

function Runs({ runs }: { runs: readonly PullRequestRun[] }): VNode {
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Table of test runs">
      <Table
        class="runs"
        titles={['Run', 'Verdict', 'Started', 'Took', 'Tested', 'On top of']}
        rows={runs.map(cellsOf)}
      />
    </div>
  )
}

function cellsOf(run: PullRequestRun): ComponentChildren[] {
  const isOver = run.outcome !== null
  const end = run.endedAt === null ? serverNow.value : Date.parse(run.endedAt)
  const took = lasting(end - Date.parse(run.startedAt))
  return [
    <>
      <RunName id={run.id} />
      {run.isOfBisection && <span class="flag is-quiet">bisection</span>}
    </>,
    <StateWord look={runLook(run)} />,
    <At instant={run.startedAt} />,
    isOver ? (run.endedAt === null ? 'unknown' : took) : `${took} so far`,
    listed(run.tested),
    run.base.length === 0 ? 'the branch' : listed(run.base),
  ]
}

function Earlier({ earlier }: Pick<PullRequestPage, 'earlier'>): VNode {
  return (
    <ul class="ended-list sheet">
      {earlier.map(({ submittedAt, since, state, why }) => (
        <li key={submittedAt} class={`is-${state.toLowerCase()}`}>
          <p class="ended-head">
            <StateWord look={lookOf({ state })} />
            <span class="soft">
              <At instant={submittedAt} /> to <At instant={since} />
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

// Where a pull request is, why, and when it lands: in two sentences.

type SummaryProps = { readonly row: Row; readonly queue: QueueHead }

function Summary({ row, queue }: SummaryProps): VNode {
  const { number, member, state } = row
  const isOver = hasLeft(row)
  return (
    <div class="summary">
      <h1>
        <span class="number">#{number}</span> {member && <Foreign text={member.title} />}
      </h1>
      {member && <About member={member} host={queue.host} />}
      <p class="now" data-state={state}>
        <StateWord look={lookOf(row)} />{' '}
        {isOver ? (
          <>
            since <At instant={row.since} />, after {lasting(timeInQueue(row))} in the queue
          </>
        ) : (
          <>
            for <Elapsed since={row.since} />, in the queue for <Elapsed since={row.submittedAt} />
          </>
        )}
      </p>
      <p class="why">
        <Foreign text={row.why} />
      </p>
      {!isOver && <Forecast row={row} />}
      <p class="buttons row is-left">
        <Star number={number} />
        {maySubmit.value && state !== 'MERGED' && (
          <Ask
            about={
              isOver
                ? { about: 'submission', named: String(number) }
                : { about: 'pull request', number }
            }
          >
            {isOver ? 'Submit again…' : 'Actions…'}
          </Ask>
        )}
      </p>
    </div>
  )
}

function About({ member, host }: { member: MemberDetails; host: string }): VNode {
  const { author, submittedBy, url } = member
  const address = safeUrl(url)
  return (
    <ul class="about row soft">
      {author !== '' && (
        <li>
          by <Foreign text={author} />
        </li>
      )}
      {submittedBy !== null && (
        <li>
          submitted by <Foreign text={submittedBy} />
        </li>
      )}
      {address !== null && (
        <li>
          <a href={address} rel="noreferrer">
            on <Foreign text={host} />
          </a>
        </li>
      )}
    </ul>
  )
}

function Forecast({ row }: { row: Row }): VNode | null {
  if (row.estimate === null) return null
  const { short, range, remark } = estimateWords(row.estimate, serverNow.value)
  if (range === null) return <p>When it lands is not known. {remark}</p>
  return (
    <p>
      It lands at about <b class="lands">{short.replace('~', '')}</b>, in 4 of 5 cases between{' '}
      {range.replace(' to ', ' and ')}. {remark !== null && <span class="warn">{remark}</span>}
    </p>
  )
}

// The stack of a pull request as it stands: the top first, the branch below all.

function Stack({ page: { stack, row: own }, queue }: KnownProps): VNode {
  const known = pageState.value
  return (
    <Section title="Stack">
      <ol class="stack" reversed>
        {stack.toReversed().map(({ number, dependsOn, member, state }) => {
          const now = known?.rows.get(number) ?? (state && { state })
          return (
            <li
              class="row"
              key={number}
              {...(number === own.number ? { 'aria-current': 'true' } : {})}
            >
              {now === null ? (
                <span class="soft">never submitted</span>
              ) : (
                <StateWord look={lookOf(now)} />
              )}
              <PullRequestLink row={member ? { number, member } : { number }} />
              {dependsOn.length > 0 && <span class="soft">after {listed(dependsOn)}</span>}
            </li>
          )
        })}
        <li class="row soft">
          <Foreign text={queue.targetBranch} />
        </li>
      </ol>
    </Section>
  )
}
