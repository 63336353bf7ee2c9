/** The line as a moving picture: who waits, who is tested in which slot, who has left. */

import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { count } from '../../../../server/terminal/text.ts'
import { type Look, lookOf, looks, Mark } from '../../../../server/page/web/components/mark.tsx'
import { memo } from '../../../../server/page/web/components/memo.ts'
import { Section } from '../../../../server/page/web/components/section.tsx'
import { mostIn, type Reel, type Scene, type SlotScene, type Film } from '../film/film.ts'
import {
  beforeSlots,
  behindSlots,
  clock,
  endings,
  Player,
  progressWords,
  sentenceOf,
  shownIn,
  speeds,
} from './player.ts'

/** More chips of those that wait only make the page long. */
const mostWaiting = 40

type Props = {
  readonly reel: ReadonlySignal<Reel | null>
  /** True while a newer film is made. */
  readonly isStale: ReadonlySignal<boolean>
}

export function Picture(props: Props): VNode {
  const isStill = useMemo(() => matchMedia('(prefers-reduced-motion: reduce)').matches, [])
  const player = useMemo(() => new Player(props.reel, { isStill }), [props.reel])
  const reel = props.reel.value
  const scene = player.scene.value
  return (
    <Section
      title="The line"
      class={`card picture${props.isStale.value ? ' is-stale' : ''}`}
      aria-busy={props.isStale.value}
    >
      {reel && scene ? (
        <>
          <p class="sentence">{sentenceOf(scene)}</p>
          <Controls player={player} film={reel.film} scene={scene} isStill={isStill} />
          <Stage scene={scene} />
          {reel.film.leftOut > 0 && (
            <p class="soft">
              {count(reel.film.leftOut)} more pull requests are simulated and not drawn.
            </p>
          )}
        </>
      ) : (
        <p class="soft">Simulating…</p>
      )}
    </Section>
  )
}

function leftIn({ counts: { MERGED, FAILED, CANCELLED } }: Scene): string {
  const cancelled = CANCELLED > 0 ? `, ${count(CANCELLED)} cancelled` : ''
  return `${count(MERGED)} merged, ${count(FAILED)} failed${cancelled}`
}

function Stage({ scene }: { scene: Scene }): VNode {
  return (
    <div class="stage">
      <div class="before">
        {beforeSlots.filter(shownIn(scene)).map(groupIn(scene, scene.below))}
      </div>
      <div class="under-test">
        <h3>Tested</h3>
        <Slots scene={scene} />
      </div>
      <div class="after">
        {behindSlots.filter(shownIn(scene)).map(groupIn(scene))}
        <Group title="Left" beside={leftIn(scene)}>
          <ul class="chips row">
            {scene.left.map(({ number, end, at }) => (
              <Chip key={`${number} ${at}`} number={number} look={lookOf({ state: end })} />
            ))}
          </ul>
        </Group>
      </div>
    </div>
  )
}

const groupIn =
  ({ resting }: Scene, below?: Scene['below']) =>
  ({ title, phase, look }: (typeof beforeSlots)[number]): VNode => {
    const numbers = resting[phase]
    return (
      <Group key={phase} title={title} beside={count(numbers.length)}>
        <Chips numbers={numbers} look={look} most={mostWaiting} {...(below ? { below } : {})} />
      </Group>
    )
  }

type GroupProps = {
  readonly title: string
  readonly beside: string
  readonly children: ComponentChildren
}

function Group({ title, beside, children }: GroupProps): VNode {
  return (
    <div class="group">
      <h3>
        {title} <span class="soft">{beside}</span>
      </h3>
      {children}
    </div>
  )
}

// The slots, one row each: who is tested in it, how long already, on top of how many. Free ones share a row.

/** More rows cannot be followed. */
const mostRows = 40

/** As many chips fit beside each other. */
const mostChips = 4

function Slots({ scene }: { scene: Scene }): VNode {
  const { at } = scene
  const rows = foldedSlots(scene.slots)
  const hidden = rows.slice(mostRows).filter(({ run }) => run !== null)
  const busy = hidden.filter(({ isOver }) => !isOver).length
  return (
    <>
      <ol class="slots">
        {rows.slice(0, mostRows).map((slot) => (
          <SlotRow key={`${slot.kind} ${slot.slot}`} slot={slot} at={at} below={scene.below} />
        ))}
      </ol>
      {hidden.length > 0 && (
        <p class="soft">
          and {count(hidden.length)} more slots with runs, {count(busy)} of them in progress
        </p>
      )}
    </>
  )
}

type FoldedSlot = SlotScene & { readonly to: number }

/** Neighbours that are free become one. */
export function foldedSlots(slots: readonly SlotScene[]): FoldedSlot[] {
  const rows: FoldedSlot[] = []
  for (const slot of slots) {
    const before = rows.at(-1)
    const isMore = slot.run === null && before?.run === null && before.kind === slot.kind
    if (isMore) rows.pop()
    rows.push({ ...(isMore ? before : slot), to: slot.slot })
  }
  return rows
}

type SlotRowProps = Pick<Scene, 'at' | 'below'> & { readonly slot: FoldedSlot }

function SlotRow({ slot: { kind, slot, to, run, isOver }, at, below }: SlotRowProps): VNode {
  const last = to === slot ? '' : ` to ${to + 1}`
  const name = `${kind === 'main' ? 'slot' : 'bisection'} ${slot + 1}${last}`
  if (!run) {
    return (
      <li class="slot is-free">
        <span class="slot-name soft cut">{name}</span>
        <span class="slot-words soft">free</span>
      </li>
    )
  }
  const ending = isOver ? endings[run.ending] : null
  const look = ending?.look ?? (kind === 'main' ? 'testing' : 'bisecting')
  const elapsed = Math.min(1, (at - run.from) / Math.max(1, run.to - run.from))
  return (
    <li class={`slot is-${look}${isOver ? ' is-over' : ''}`}>
      <span class="slot-name soft cut">
        {name}
        {run.below > 0 && <span class="below"> on top of {run.below}</span>}
      </span>
      <span class="slot-words soft">
        {ending && <Mark look={look} />}
        {ending ? ending.words : progressWords(run, at)}
      </span>
      {/* A run that fails says nothing yet about each of those it tested. */}
      <Chips
        numbers={run.tested}
        look={isOver ? null : look}
        most={mostChips}
        below={below}
        isShort
      />
      <span class="slot-bar">
        <span style={{ transform: `scaleX(${elapsed.toFixed(4)})` }} />
      </span>
    </li>
  )
}

// Pull requests as chips: the mark says the state, the number who it is.

type ChipProps = {
  readonly number: number
  /** Null: nothing is known about it. */
  readonly look: Look | null
  /** The numbers of those that it waits for. */
  readonly on?: string
}

const Chip = memo(({ number, look, on = '' }: ChipProps) => (
  <li class={look === null ? 'chip' : `chip is-${look}`}>
    {look !== null && <Mark look={look} />}
    {number}
    {on !== '' && <span class="soft"> on {on}</span>}
    {look !== null && <span class="unseen"> {looks[look].word}</span>}
  </li>
))

type ChipsProps = {
  readonly numbers: readonly number[]
  readonly look: Look | null
  /** If there are more, the others are only counted. */
  readonly most: number
  readonly below?: Scene['below']
  /** The count in as few letters as possible. */
  readonly isShort?: boolean
}

function Chips({ numbers, look, most, below, isShort = false }: ChipsProps): VNode {
  const shown = numbers.length > most ? most - Number(isShort) : most
  const others = count(numbers.length - shown)
  return (
    <ul class="chips row">
      {numbers.slice(0, shown).map((number) => (
        <Chip key={number} number={number} look={look} on={below?.get(number)?.join(', ') ?? ''} />
      ))}
      {numbers.length > shown && (
        <li class="soft">{isShort ? `+${others}` : `and ${others} more`}</li>
      )}
    </ul>
  )
}

// Play, pause, step, scrub, speed.

type ControlsProps = {
  readonly player: Player
  readonly film: Film
  readonly scene: Scene
  /** The reader wants no motion: there are only steps. */
  readonly isStill: boolean
}

const minuteMs = 60_000

function Controls({ player, film, scene, isStill }: ControlsProps): VNode {
  const isPlaying = player.isPlaying.value
  const time = clock(scene.at)
  return (
    <div class="controls row">
      {!isStill && (
        <button
          type="button"
          class="is-main"
          onClick={() => (isPlaying ? player.pause() : player.play())}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
      )}
      <button type="button" aria-label="Change before" onClick={() => player.step(-1)}>
        ‹
      </button>
      <button type="button" aria-label="Next change" onClick={() => player.step(1)}>
        ›
      </button>
      <output class="clock">{time}</output>
      {!isStill && <Speed player={player} />}
      <div class="scrub">
        <p class="small soft">The queue over time, at most {count(mostIn(film.depth))} in it</p>
        <DepthStrip film={film} at={scene.at} />
        <input
          type="range"
          aria-label="Instant"
          aria-valuetext={`${time}. ${sentenceOf(scene)}`}
          min={0}
          max={Math.ceil(film.endedAt / minuteMs)}
          step={1}
          value={Math.round(scene.at / minuteMs)}
          onInput={({ currentTarget }) => {
            player.seek(Math.min(film.endedAt, currentTarget.valueAsNumber * minuteMs))
          }}
        />
      </div>
    </div>
  )
}

function Speed({ player }: { player: Player }): VNode {
  return (
    <label class="speed row small soft">
      <span>a second is</span>
      <select
        value={String(player.speed.value)}
        onChange={({ currentTarget: { value } }) => {
          player.speed.value = Number(value)
        }}
      >
        {Object.entries(speeds).map(([minutes, text]) => (
          <option key={minutes} value={minutes}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

// How many were in the queue over the whole film, with the instant that is shown.

const width = 1000
const height = 40

function DepthStrip({ film, at }: { film: Film; at: number }): VNode {
  const x = ((width * at) / Math.max(1, film.endedAt)).toFixed(2)
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <Area film={film} />
      <path class="strip-now" d={`M${x} 0V${height}`} />
    </svg>
  )
}

const Area = memo(({ film }: { film: Film }) => <path class="strip-area" d={areaOf(film)} />)

/** Steps up and down, as numbers are whole. */
export function areaOf({ depth, endedAt }: Pick<Film, 'depth' | 'endedAt'>): string {
  const most = Math.max(1, mostIn(depth))
  const x = (at: number): string => ((width * at) / Math.max(1, endedAt)).toFixed(1)
  const y = (many: number): string => (height - ((height - 2) * many) / most).toFixed(1)
  return `M0 ${height}${depth.map(({ at, count: many }) => `H${x(at)}V${y(many)}`).join('')}H${width}V${height}z`
}
