/** Play, pause, step, scrub, speed. */

import type { VNode } from 'preact'
import type { Film } from '../film/film.ts'
import { speeds, type Player } from './player.ts'
import type { Scene } from '../film/scene.ts'
import { count } from '../../../../sim/terminal/text.ts'
import { DepthStrip, mostIn } from './depth-strip.tsx'
import { clock, sentenceOf } from './words.ts'

type Props = {
  readonly player: Player
  readonly film: Film
  readonly scene: Scene
  /** The reader wants no motion: there are only steps. */
  readonly isStill: boolean
}

const minuteMs = 60_000

export function Controls({ player, film, scene, isStill }: Props): VNode {
  const isPlaying = player.isPlaying.value
  const time = clock(scene.at)
  return (
    <div class="controls">
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
        <p>The queue over time, at most {count(mostIn(film.depth))} in it</p>
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
    <label class="speed">
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
