/** The style of the timeline on a phone and on paper. */

import { css } from '../../../html/style/css.ts'

export const mediaStyle = css`
  @media (max-width: 40rem) {
    .timeline {
      --name: 7.5rem;
    }
    .story {
      padding-left: 0.75rem;
    }
    .hint {
      display: none;
    }
  }
  @media print {
    .controls {
      display: none;
    }
    .timeline {
      --zoom: 1 !important;
      max-height: none;
      overflow: visible;
      border: 0;
    }
    .row {
      content-visibility: visible;
    }
    .row > summary {
      break-inside: avoid;
    }
    .timeline path,
    .key path {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
  }
`
