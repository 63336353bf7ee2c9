/** The page of a run: what it tested, its verdict, its output. The end of the output is also on the page of a pull request. */

import type { ComponentChildren, VNode } from 'preact'
import type { RunPage } from '../../frame.ts'
import { type Known, useAnswer } from '../model/ask.ts'
import { addressOf, queuePath, queueShown, runPath } from '../model/route.ts'
import { serverNow, pageState } from '../model/watched-queue.ts'
import { lasting } from '../components/time-words.ts'
import { runLook, StateWord } from '../components/mark.tsx'
import { safeUrl, shownLines } from '../components/shown-text.ts'
import { Section } from '../components/section.tsx'
import { At, Foreign, PullRequestLink, Refusal } from '../texts/texts.tsx'
import { Opening } from '../queue/banners.tsx'

type RunProps = { readonly run: string }

export function RunView({ run }: RunProps): VNode {
  const found = useRun(run)
  if (!pageState.value || found === null) return <Opening />
  return (
    <OnePage>
      <h1>Run {run}</h1>
      {found.body ? (
        <>
          <About page={found.body} />
          <Section title="Output">
            <Output page={found.body} most={Infinity} />
          </Section>
        </>
      ) : (
        <Refusal error={found.refusal?.error} />
      )}
    </OnePage>
  )
}

/** A page below that of the queue. */
export function OnePage({ children }: { children: ComponentChildren }): VNode {
  return (
    <article class="one">
      <p class="back">
        <a href={queuePath(queueShown.value)}>Back to the queue</a>
      </p>
      {children}
    </article>
  )
}

function About({ page: { run } }: { page: RunPage }): VNode {
  const end = run.endedAt === null ? serverNow.value : Date.parse(run.endedAt)
  const address = safeUrl(run.url ?? null)
  return (
    <div class="summary">
      <p class="now">
        <StateWord look={runLook(run)} /> started <At instant={run.startedAt} />
        {run.outcome !== null && run.endedAt === null
          ? ''
          : `, ${run.outcome === null ? 'runs for' : 'took'} ${lasting(end - Date.parse(run.startedAt))}`}
      </p>
      <p>
        {run.endedAt === null ? 'It tests' : 'It tested'} <Numbers numbers={run.tested} />
        {run.base.length > 0 && (
          <>
            {' '}
            on top of <Numbers numbers={run.base} />
          </>
        )}
        {run.isOfBisection && ', for a bisection'}.
      </p>
      {address !== null && (
        <p>
          <a href={address} rel="noreferrer">
            Its page at <Foreign text={new URL(address).host} />
          </a>
        </p>
      )}
    </div>
  )
}

function Numbers({ numbers }: { numbers: readonly number[] }): VNode {
  if (numbers.length === 0) return <>the branch alone</>
  return (
    <>
      {numbers.map((number, index) => (
        <span key={number}>
          {index > 0 && ', '}
          <PullRequestLink row={{ number }} />
        </span>
      ))}
    </>
  )
}

const linesInline = 30

/** The end of the output of a run, with a link to all of it. */
export function EndOfLog({ run }: RunProps): VNode | null {
  const found = useRun(run)
  if (found === null) return null
  return (
    <>
      <p class="log-head">
        The end of the output of <a href={runPath(queueShown.value, run)}>run {run}</a>
      </p>
      {found.body ? (
        <Output page={found.body} most={linesInline} />
      ) : (
        <p class="soft">{found.refusal?.error}</p>
      )}
    </>
  )
}

type OutputProps = { readonly page: RunPage; readonly most: number }

function Output({ page: { log, bytes, noLog, run }, most }: OutputProps): VNode {
  if (noLog !== null) return <p class="soft">No output: {shownLines(noLog)}.</p>
  if (log === '') return <p class="soft">{run.outcome === null ? 'None yet.' : 'It is empty.'}</p>
  const lines = shownLines(log).trimEnd().split('\n')
  const shown = lines.slice(-most)
  const isCut = shown.length === lines.length && bytes > new Blob([log]).size
  return (
    <>
      {isCut && <p class="soft">The beginning is left out.</p>}
      <pre class="log sheet" tabIndex={0} role="region" aria-label="Text of the output">
        <bdi>{shown.join('\n')}</bdi>
      </pre>
    </>
  )
}

const againMs = 3_000

/** A run with its log, asked for again while it is in progress. */
const useRun = (run: string): Known<RunPage> | null =>
  useAnswer(addressOf('run', { run }), (page) => [
    (page?.run.outcome ?? null) === null && Math.floor(serverNow.value / againMs),
  ])
