/**
 * Starts the slowest specs first, so that no long one runs alone at the end. Jest does so with the times of earlier runs, which a fresh clone
 * lacks: there it goes by the size of a file, and short files can run for long.
 */
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds that specs take on two processors; the others take less. */
const SECONDS = {
  'screens.e2e.spec.ts': 180,
  'keyboard.e2e.spec.ts': 100,
  'kafka-bus.int.spec.ts': 90,
  'faithful-video.int.spec.ts': 80,
  'api-table.int.spec.ts': 60,
  'journey.e2e.spec.ts': 60,
  'long-lists.e2e.spec.ts': 55,
  'launch.int.spec.ts': 45,
  'rights.e2e.spec.ts': 40,
  'fingerprint.int.spec.ts': 40,
  'heic.int.spec.ts': 40,
  'publish.int.spec.ts': 35,
  'claimed-sound.int.spec.ts': 35,
  'sound-print.int.spec.ts': 30,
  'hostile-files.int.spec.ts': 30,
  'time-limits.int.spec.ts': 25,
  'interleaving.int.spec.ts': 25,
  'rate-limits.int.spec.ts': 20,
  'instagram-queue.screen.spec.tsx': 20,
  'publish-options.spec.tsx': 20,
  'processed.screen.spec.tsx': 20,
  'side-by-side.int.spec.ts': 20,
  'excerpts.int.spec.ts': 20,
  'platform-limits.int.spec.ts': 20,
  'protecting.int.spec.ts': 15,
  'run-worker.int.spec.ts': 15,
  'dashboard.screen.spec.tsx': 15,
  'takedown.screen.spec.tsx': 15,
  'regex-time.spec.ts': 10,
};

const secondsOf = (test) => SECONDS[path.basename(test.path)] ?? 0;

class SlowestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const unknown = sorted.filter(({ duration }) => duration === undefined);
    const known = sorted.filter(({ duration }) => duration !== undefined);
    return [...unknown.sort((a, b) => secondsOf(b) - secondsOf(a)), ...known];
  }
}

module.exports = Object.assign(SlowestFirst, { SECONDS });
