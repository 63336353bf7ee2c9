/** The colours, named by their meaning. `heat-1` to `heat-7` go from low to high values. */

import { css } from './css.ts'

export const light = css`
  color-scheme: light;
  --paper: #ffffff;
  --ground: #f5f6f8;
  --ink: #1b1f27;
  --soft: #59616f;
  --line: #d8dce3;
  --link: #1f57c3;
  --good: #14804a;
  --bad: #c4342b;
  --warn: #8f5f00;
  --merged: #2a9d62;
  --failed: #d5463c;
  --cancelled: #8b93a1;
  --waiting: #bcc4d0;
  --testing: #4a86e0;
  --passed: #85cba4;
  --held: #e3a433;
  --bisecting: #9668cf;
  --series-1: #3f7fdc;
  --series-2: #e08a1e;
  --series-3: #2a9d62;
  --series-4: #9668cf;
  --series-5: #d5463c;
  --series-6: #2aa3ad;
  --series-7: #b5882b;
  --series-8: #8b93a1;
  --heat-1: #edf3fc;
  --heat-2: #cfe0f7;
  --heat-3: #a9c8f0;
  --heat-4: #7eace6;
  --heat-5: #528dd8;
  --heat-6: #2f6cc0;
  --heat-7: #174a96;
`

export const dark = css`
  color-scheme: dark;
  --paper: #1a1d23;
  --ground: #121419;
  --ink: #e6e9ef;
  --soft: #9aa3b2;
  --line: #343a45;
  --link: #82aef5;
  --good: #55c78d;
  --bad: #ff7f76;
  --warn: #e5b450;
  --merged: #3fae74;
  --failed: #e8645a;
  --cancelled: #7d8695;
  --waiting: #4b5462;
  --testing: #5b93e8;
  --passed: #2f6f4c;
  --held: #d69a35;
  --bisecting: #a57fdb;
  --series-1: #6a9fee;
  --series-2: #eda04a;
  --series-3: #4fbf86;
  --series-4: #b08ce4;
  --series-5: #f0776d;
  --series-6: #4fbfc8;
  --series-7: #d0a94f;
  --series-8: #939ba9;
  --heat-1: #1b2a42;
  --heat-2: #1f3a63;
  --heat-3: #264e88;
  --heat-4: #3366ae;
  --heat-5: #4c83cf;
  --heat-6: #78a6e6;
  --heat-7: #b2cffa;
`
