/** The whole page: the answer first, then what can be set, the line, and comparisons. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import type { Figures } from '../../../../sim/result/result-document.ts'
import {
  barsOf,
  changeBetween,
  furtherFigures,
  mainFigures,
  shownMeasures,
  textOf,
} from '../figures/figures.ts'
import type { Bar, Figure, ShownMeasure } from '../figures/figures.ts'
import { isNameIn } from '../../../queues/names-in.ts'
import { Section } from '../../../../server/page/web/components/section.tsx'
import { Table } from '../../../../server/page/web/components/table.tsx'
import { Picture } from '../picture/picture.tsx'
import { notice, open } from '../state/address.ts'
import { changes, isHashWanted, results, source } from '../state/playground.ts'
import { Settings } from './settings.tsx'
import { Source } from './source.tsx'
import { simCommand, settingsOf } from '../settings/changes.ts'
import { useEffect } from 'preact/hooks'

export function App(): VNode {
  return (
    <DropZone>
      <a class="skip" href="#settings">
        Skip to the settings
      </a>
      <header class="top">
        <h1>Mergeyard playground</h1>
        <p class="soft">
          A merge queue with your traffic. The real engine runs in your browser; nothing is sent
          anywhere.
        </p>
      </header>
      <main>
        <Source />
        <Notices />
        <Answer />
        <div class="table">
          <Settings />
          <div class="views">
            <Picture reel={results.reel} isStale={results.isPictureStale} />
            <Comparison />
            <Others />
            <Check />
          </div>
        </div>
      </main>
    </DropZone>
  )
}

// The answer: the most important figures, each beside that of today's setting.

function Answer(): VNode {
  const { figures, today, isStale } = results
  const [now, before] = [figures.value, today.value]
  return (
    <section
      class={isStale.value ? 'answer is-stale' : 'answer'}
      aria-label="The answer"
      aria-busy={isStale.value}
    >
      <dl class="tiles">
        {mainFigures.map((figure) => {
          const change = now && before && changeBetween(figure, now, before)
          return (
            <div key={figure.name}>
              <dt>{figure.name}</dt>
              <dd>{now ? textOf(figure, now) : '…'}</dd>
              <dd class="beside">
                {before ? (
                  <>
                    <span class={change?.tone ?? 'soft'}>{change?.text}</span>
                    {change && ', '}
                    <span class="today">today {textOf(figure, before)}</span>
                  </>
                ) : (
                  'today’s setting'
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <p class="busy" aria-hidden={!isStale.value}>
        Simulating…
      </p>
    </section>
  )
}

// All figures as a table, beside those of today's setting.

function Comparison(): VNode {
  const [now, before] = [results.figures.value, results.today.value]
  const cellsOf = (figure: Figure, figures: Figures): ComponentChildren[] => {
    if (!before) return [figure.name, textOf(figure, figures)]
    const change = changeBetween(figure, figures, before)
    return [
      ...[figure.name, textOf(figure, before), textOf(figure, figures)],
      <span class={change?.tone ?? 'soft'}>{change?.text}</span>,
    ]
  }
  const all = [...mainFigures, ...furtherFigures]
  return (
    <Section
      class="card"
      title={before ? 'Today and with your settings' : 'Today’s setting in figures'}
    >
      <div class="scroll" role="region" aria-label="All figures" tabIndex={0}>
        <Table
          class="figures"
          titles={before ? ['Figure', 'Today', 'Yours', 'Change'] : ['Figure', 'Today']}
          rows={now ? all.map((figure) => cellsOf(figure, now)) : []}
        />
      </div>
      <p class="soft">
        One draw, with seed {now?.seed ?? 1}. Small differences may be luck: try another seed, or
        let <code>npm run tune</code> try many.
      </p>
    </Section>
  )
}

// What other queues would do with the same pull requests.

function Others(): VNode {
  const measure = useSignal<ShownMeasure>('time to land p50')
  const bars = barsOf(results.others.value, measure.value)
  const missing = (results.expected.value ?? bars.length + 1) - bars.length
  const isBusy = missing > 0
  const isCut = bars.some((bar) => bar.isCut)
  const choice = (
    <label>
      <span class="unseen">Measure</span>
      <select
        value={measure.value}
        onChange={({ currentTarget: { value } }) => {
          if (isNameIn(shownMeasures, value)) measure.value = value
        }}
      >
        {Object.entries(shownMeasures).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <Section class="card" title="What other queues would do" beside={choice} aria-busy={isBusy}>
      <table class={isBusy ? 'bars-table is-stale' : 'bars-table'}>
        <thead class="unseen">
          <tr>
            <th scope="col">Queue</th>
            <th scope="col">{shownMeasures[measure.value]}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <BarRow key={bar.name} bar={bar} />
          ))}
        </tbody>
      </table>
      <p class="soft">
        {isBusy ? `${missing} more to come. ` : ''}
        Models of their queues, with the same pull requests, lengths and flakes, without cancels,
        pushes, priorities and faults. All have as many slots, so the bisections of Mergeyard take
        some of its own, and a pull request that was evicted although healthy, or that clashed,
        comes again, after 15 minutes unless the scenario says otherwise. So the figure of Mergeyard
        is not the one above. Shorter is better
        {isCut ? '; a bar with a jagged end is longer than the scale' : ''}.{' '}
        <code>npm run compare</code> says how sure that is.
      </p>
    </Section>
  )
}

function BarRow({ bar }: { bar: Bar }): VNode {
  const kind = bar.name === 'Mergeyard' ? 'own' : bar.isReference ? 'reference' : 'other'
  return (
    <tr>
      <th scope="row">
        <span title={bar.about}>{bar.name}</span>
        {bar.isReference && <small class="soft"> knows what fails</small>}
      </th>
      <td>
        <span
          class={`bar is-${kind}${bar.isCut ? ' is-cut' : ''}`}
          style={{ width: `${Math.round(bar.share * 1000) / 10}%` }}
        />
        <span class="value">{bar.text}</span>
      </td>
    </tr>
  )
}

// Proof that the page simulates what the command simulates: the same hash of the whole trace.

function Check(): VNode {
  const { hash } = results
  const today = source.value
  const file =
    today.kind === 'archetype' ? `scenarios/${today.name}.json` : `${today.scenario.name}.json`
  const command = simCommand(file, settingsOf(today.scenario, changes.value))
  const isBusy = isHashWanted.value && hash.value === null
  return (
    <Section class="card" title="The same in your terminal">
      <p>
        <code class="command">{command}</code>
      </p>
      <p class="check">
        <button type="button" aria-disabled={isBusy} onClick={() => (isHashWanted.value = true)}>
          Check the hash
        </button>{' '}
        <span role="status">
          {isBusy && 'Simulating again, with a hash of every command and event…'}
          {hash.value !== null && (
            <>
              <code class="hash">{hash.value}</code> If the command prints the same{' '}
              <code>traceHash</code>, not one event differs.
            </>
          )}
        </span>
      </p>
    </Section>
  )
}

// What the reader must know: about links, files and failures.

/** More faults of a file help nobody. */
const mostLines = 5

/** A line may list every key that there is. */
const mostLetters = 200

const shortened = (line: string): string =>
  line.length > mostLetters ? `${line.slice(0, mostLetters)}…` : line

function Notices(): VNode {
  const failure = results.failure.value
  const said = notice.value
  return (
    <div class="notices" role="status">
      {failure !== null && (
        <div class="notice sheet row is-fault">
          <b>The simulation stopped.</b> <span>{shortened(failure)}</span>
        </div>
      )}
      {said && (
        <div class={`notice sheet row${said.isFault ? ' is-fault' : ''}`}>
          {said.isFault && <b>This scenario cannot be used.</b>}
          <ul>
            {said.lines.slice(0, mostLines).map((line) => (
              <li key={line} dir="auto">
                {shortened(line)}
              </li>
            ))}
            {said.lines.length > mostLines && (
              <li>and {said.lines.length - mostLines} more faults</li>
            )}
          </ul>
          <button type="button" onClick={() => (notice.value = null)}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  )
}

// A file may be dropped anywhere on the page.

function DropZone({ children }: { children: ComponentChildren }): VNode {
  const isOver = useSignal(false)
  useEffect(() => {
    const follow = (event: DragEvent): void => {
      const { type, dataTransfer, relatedTarget } = event
      const hasFile = dataTransfer?.types.includes('Files') === true
      if (hasFile && type !== 'dragleave') event.preventDefault()
      // Between two elements of the page it does not leave it.
      isOver.value =
        type === 'dragleave'
          ? isOver.value && relatedTarget !== null
          : type === 'dragover' && hasFile
      const [file] = type === 'drop' && hasFile ? dataTransfer.files : []
      if (file) void open(file)
    }
    for (const type of ['dragover', 'dragleave', 'drop'] as const) {
      document.addEventListener(type, follow)
    }
  }, [])
  return (
    <>
      {children}
      {isOver.value && <div class="drop-here">Drop a scenario file</div>}
    </>
  )
}
