/** The colours of phases and outcomes on the tracks. */

import { css } from '../../../html/style/css.ts'

export const tracksStyle = css`
  .row path.notReady {
    fill: var(--line);
  }
  .row path.waiting {
    fill: var(--waiting);
  }
  .row path.testing {
    fill: var(--testing);
  }
  .row path.passed {
    fill: var(--passed);
  }
  .row path.held {
    fill: var(--held);
  }
  .row path.bisecting {
    fill: var(--bisecting);
  }
  .row path.mark {
    stroke: var(--soft);
    stroke-width: 3px;
    vector-effect: non-scaling-stroke;
  }
  .row path.mark.merged {
    stroke: var(--merged);
  }
  .row path.mark.failed,
  .row path.mark.broken {
    stroke: var(--failed);
  }
  .slot path {
    stroke: var(--paper);
    stroke-width: 1px;
    vector-effect: non-scaling-stroke;
  }
  .slot path.passed {
    fill: var(--merged);
  }
  .slot path.failed {
    fill: var(--failed);
  }
  .slot path.flaked {
    fill: var(--held);
  }
  .slot path.cancelled {
    fill: var(--cancelled);
  }
  .slot path.lost {
    fill: var(--soft);
  }
  .slot path.mark.queue-event {
    stroke: var(--link);
    stroke-width: 3px;
  }
  .slot a:hover path {
    stroke: var(--ink);
  }
`
