import { inFile, type Mutant } from './mutant';

const LIB = 'libs/persistence/src';
const ROWS = 'tools/trials/src/simulation/job-rows.int.spec.ts';
const RELAY = 'libs/job-engine/src/outbox-relay.int.spec.ts';
const REPOSITORIES = `${LIB}/database/repositories.int.spec.ts`;

export const PERSISTENCE_MUTANTS: readonly Mutant[] = [
  ...inFile(`${LIB}/stage-job/stage-job.repository.ts`, [ROWS], {
    'old-fence-renews': {
      find: "make_interval(secs => $3) WHERE id = $1 AND fence = $2 AND state = 'running'`",
      replace: "make_interval(secs => $3) WHERE id = $1 AND $2::bigint > 0 AND state = 'running'`",
      defect: 'A worker that lost its job extends the lease of the next one.',
    },
    'old-fence-writes-journal': {
      find: 'intent_step = NULL\n  FROM unnest($1::uuid[], $2::bigint[]) AS held (id, fence)\n  WHERE j.id = held.id AND j.fence = held.fence',
      replace: 'intent_step = NULL\n  FROM unnest($1::uuid[], $2::bigint[]) AS held (id, fence)\n  WHERE j.id = held.id',
      defect: 'A worker that lost its job writes its output over that of the next one.',
    },
    'journal-keeps-intent': {
      find: 'journal || $3::jsonb, intent_step = NULL',
      replace: 'journal || $3::jsonb',
      defect: 'A call that succeeded counts as unknown after the next crash.',
    },
    'intent-after-lapse': {
      find: "AND state = 'running' AND lease_until > clock_timestamp()`",
      replace: "AND state = 'running'`",
      defect: 'A suspended machine makes an irreversible call after its lease ended.',
    },
    'intent-does-not-renew': {
      find: 'SET intent_step = $3, lease_until = clock_timestamp() + make_interval(secs => $4)',
      replace: 'SET intent_step = $3, lease_until = lease_until + make_interval(secs => 0 * $4)',
      defect: 'An irreversible call starts with what is left of a lease, and another worker takes the job during the call.',
    },
    'late-end': {
      find: "WHERE j.id = e.id AND j.fence = e.fence AND j.state = 'running'",
      replace: "WHERE j.id = e.id AND j.state = 'running'",
      defect: 'A worker ends a job that another one holds by now.',
    },
    'ends-twice-in-a-group': {
      find: "WHERE j.id = e.id AND j.fence = e.fence AND j.state = 'running'",
      replace: 'WHERE j.id = e.id AND j.fence = e.fence',
      defect: 'A job that was cancelled ends as done.',
    },
    'wait-counts-attempt': {
      find: "uncounted: end.state === 'released' || end.state === 'waiting' || ",
      replace: "uncounted: end.state === 'released' || ",
      defect: 'Waiting for a quota uses up the attempts of a job.',
    },
    'request-keeps-number': {
      find: "SET state = 'requested', turn = turn + 1, due_at = NULL, wait_reason = NULL",
      replace: "SET state = 'requested', due_at = NULL, wait_reason = NULL",
      defect: 'The late message of an earlier request claims a job that was requested again.',
    },
    'requests-early': {
      find: "state IN ('waiting','retrying') AND due_at <= now() ORDER BY due_at",
      replace: "state IN ('waiting','retrying') ORDER BY due_at",
      defect: 'Retries ignore their pause.',
    },
    'replays-beside-open-job': {
      find: "o.subject_id = j.subject_id AND o.state IN ('requested','running','waiting','retrying'))\n       RETURNING *`",
      replace: "o.subject_id = j.subject_id AND o.state = 'none')\n       RETURNING *`",
      defect: 'A replayed job collides with the open one of the same item.',
    },
    'cancel-keeps-fence': {
      find: 'lease_until = NULL, due_at = NULL, fence = fence + 1\n       WHERE subject_id = $1',
      replace: 'lease_until = NULL, due_at = NULL\n       WHERE subject_id = $1',
      defect: 'A cancelled job keeps the fence of its worker.',
    },
    'cancels-running-as-idle': {
      find: "WHERE stage = $1 AND subject_id = $2 AND state IN ('waiting','retrying')`",
      replace: "WHERE stage = $1 AND subject_id = $2 AND state IN ('waiting','retrying','running')`",
      defect: 'Cancelling a job that waits also cancels one that runs.',
    },
  }),
  ...inFile(
    `${LIB}/stage-job/stage-job.repository.ts`,
    [ROWS, 'libs/job-engine/src/claim.int.spec.ts', 'libs/job-engine/src/people-first.int.spec.ts'],
    {
      'claims-a-live-lease': {
        find: "const LAPSED = `state = 'running' AND lease_until < clock_timestamp()`;",
        replace: "const LAPSED = `state = 'running'`;",
        defect: 'Two workers run a job at the same time.',
      },
      'claim-not-counted': {
        find: "SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner",
        replace: "SET state = 'running', fence = fence + 1, lease_owner",
        defect: 'A job that kills its worker never runs out of attempts.',
      },
      'claim-keeps-fence': {
        find: "SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner",
        replace: "SET state = 'running', attempts = attempts + 1, lease_owner",
        defect: 'The former worker of a job can still write.',
      },
      'claims-without-order': {
        find: 'ORDER BY for_person DESC, ${TURN}, id\n',
        replace: 'ORDER BY id DESC\n',
        defect: 'The newest automatic job runs before one that a person waits for.',
      },
      'bursts-run-as-one': {
        find: "burst_place * interval '${BURST_SPACING_SECONDS} seconds'",
        replace: "0 * burst_place * interval '${BURST_SPACING_SECONDS} seconds'",
        defect: 'A subreddit whose run brings 100 posts holds up those of all others.',
      },
      'claims-beyond-limit': {
        find: 'LIMIT w."limit" - (SELECT count(*)',
        replace: 'LIMIT w."limit" - 0 * (SELECT count(*)',
        defect: 'After a crash a worker claims up to twice its free slots.',
      },
      'claims-wait-for-each-other': {
        find: 'l.stage = w.stage) FOR UPDATE SKIP LOCKED',
        replace: 'l.stage = w.stage) FOR UPDATE',
        defect: 'The claims of all workers are executed one after the other.',
      },
      'account-runs-two-jobs': {
        find: "o.state = 'running' AND o.id <> j.id))",
        replace: "o.state = 'none' AND o.id <> j.id))",
        defect: 'A running job of one account keeps those of all other accounts from being claimed.',
      },
      'people-only-ignored': {
        find: 'for_person >= w."peopleOnly"',
        replace: 'w."peopleOnly" IS NOT NULL',
        defect: 'Automatic jobs take the slots that are kept for people.',
      },
      'claims-own-running-job': {
        find: 'AND id <> ALL(w."except") AND',
        replace: 'AND w."except" IS NOT NULL AND',
        defect: 'A process claims a job that it still runs.',
      },
    },
  ),
  ...inFile(`${LIB}/stage-job/stage-job.repository.ts`, ['tools/trials/src/simulation/job-rows.int.spec.ts'], {
    'sweep-loses-the-place': {
      find: 'SET due_at = now() + make_interval(secs => least($1',
      replace: 'SET requested_at = now(), due_at = now() + make_interval(secs => least($1',
      defect: 'In a long queue the jobs whose messages are sent again go behind newer ones.',
    },
    'given-back-job-looks-started': {
      find: 'THEN NULL ELSE j.started_at END',
      replace: 'THEN j.started_at ELSE j.started_at END',
      defect: 'A job that was only claimed can no longer be cancelled with its run.',
    },
    'release-keeps-the-request-number': {
      find: "turn = j.turn + (e.state = 'requested')::int, ",
      replace: '',
      defect: 'The message of a released job counts as one of its ended request and is settled.',
    },
  }),
  ...inFile(`${LIB}/stage-job/stage-job.repository.ts`, ['libs/job-engine/src/job-bus.int.spec.ts'], {
    'resends-unsent-message': {
      find: 'LIMIT 1) IS NULL AS is_lost',
      replace: 'LIMIT 1) IS NOT DISTINCT FROM NULL OR true AS is_lost',
      defect: 'During an outage of the broker each sweep adds another message of every waiting job.',
    },
    'sweeps-jobs-with-unsent-messages-first': {
      find: 'UPDATE stage_jobs SET due_at = now() + make_interval(secs => $1) WHERE id = ANY',
      replace: 'UPDATE stage_jobs SET due_at = due_at WHERE id = ANY',
      defect: 'Jobs whose messages are unsent hide the lost ones behind them from every sweep.',
    },
    'sweeps-at-a-constant-rate': {
      find: '$1::float8 * 2 ^ (swept + 1)',
      replace: '$1::float8 * 1 ^ (swept + 1)',
      defect: 'A long queue fills the bus with repeated messages.',
    },
  }),
  ...inFile(`${LIB}/stage-job/job-counts.queries.ts`, [`${LIB}/stage-job/job-counts.int.spec.ts`], {
    'counts-all-open-jobs': {
      find: 'ORDER BY ${TURN}, id LIMIT $2) AS next)',
      replace: 'ORDER BY ${TURN}, id LIMIT $2 * 1000) AS next)',
      defect: 'A long queue slows down the Pipeline screen.',
    },
    'sources-in-any-order': {
      find: 'ORDER BY for_person DESC, ${TURN}, id LIMIT $3) j',
      replace: 'ORDER BY id LIMIT $3) j',
      defect: 'The sources of a long queue are not those of the jobs that run next.',
    },
  }),
  ...inFile(`${LIB}/outbox/outbox.repository.ts`, [RELAY, 'libs/persistence/src/outbox/outbox.repository.int.spec.ts'], {
    'relays-send-the-same-row': {
      find: 'ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED',
      replace: 'ORDER BY due_at, id LIMIT $2',
      defect: 'Two relays publish the same row.',
    },
    'relays-wait-for-each-other': {
      find: 'ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED',
      replace: 'ORDER BY due_at, id LIMIT $2 FOR UPDATE',
      defect: 'A relay that waits for a slow broker blocks all others.',
    },
    'parked-message-sent-at-once': {
      find: 'AND due_at <= now()\n         ORDER BY due_at, id LIMIT',
      replace: '\n         ORDER BY due_at, id LIMIT',
      defect: 'A refused message is sent again at once, without its pause.',
    },
    'pause-does-not-grow': {
      find: 'power(2, least(attempts, $4::int))',
      replace: 'power(2, least(0, $4::int))',
      defect: 'A topic that refuses its messages is asked at a constant rate.',
    },
    'release-includes-bad-messages': {
      find: 'AND due_at > now() AND failure <> ALL ($2::text[])`',
      replace: 'AND due_at > now() AND failure <> ALL (ARRAY[cardinality($2::text[])::text])`',
      defect: 'A message that its topic cannot take is retried whenever the topic accepts others.',
    },
    'first-refusal-forgotten': {
      find: 'refused_at = coalesce(refused_at, clock_timestamp())',
      replace: 'refused_at = clock_timestamp()',
      defect: 'A message that is refused for days is always reported as refused just now.',
    },
    'refused-messages-in-one-group': {
      find: 'GROUP BY topic, CASE WHEN failure = ANY($2::text[]) THEN id END',
      replace: 'GROUP BY topic, failure = ANY($2::text[])',
      defect: 'Of several messages that are too large only one is reported.',
    },
    'reports-a-first-refusal': {
      find: 'WHERE since <= clock_timestamp() - make_interval(secs => $1)\n',
      replace: '',
      defect: 'A refusal that lasts a second raises an alert.',
    },
  }),
  ...inFile(`${LIB}/lease/lease.repository.ts`, [REPOSITORIES], {
    'takes-a-live-lease': {
      find: '       WHERE l.owner = excluded.owner OR l.until < clock_timestamp()\n',
      replace: '',
      defect: 'Two schedulers lead at the same time.',
    },
    'fence-of-new-owner-is-old': {
      find: 'ELSE l.fence + 1 END',
      replace: 'ELSE l.fence END',
      defect: 'A former leader passes for the current one.',
    },
    'fence-survives-lapse': {
      find: 'CASE WHEN l.owner = excluded.owner AND l.until >= clock_timestamp() THEN',
      replace: 'CASE WHEN l.owner = excluded.owner THEN',
      defect: 'A leader that was frozen beyond its lease continues with the fence that others may have seen lapse.',
    },
    'releases-a-foreign-lease': {
      find: 'SET until = to_timestamp(0) WHERE name = $1 AND owner = $2',
      replace: 'SET until = to_timestamp(0) WHERE name = $1 AND length($2) > 0',
      defect: 'A process that stops ends the leadership of another one.',
    },
    'fence-not-locked': {
      find: 'fence = $2 FOR SHARE',
      replace: 'fence = $2',
      defect: 'Leadership changes while a transaction that depends on it is about to commit.',
    },
  }),
  ...inFile(`${LIB}/quarantine/quarantine.repository.ts`, [REPOSITORIES], {
    'quarantines-whole-body': {
      find: 'body: cutText(message.body, BODY_LIMIT)',
      replace: 'body: cutText(message.body, BODY_LIMIT * 1_000)',
      defect: 'A flood of large unreadable messages fills the database.',
    },
    'quarantine-oldest-first': {
      find: 'ORDER BY received_at DESC, id DESC OFFSET',
      replace: 'ORDER BY received_at, id OFFSET',
      defect: 'A new unreadable message is on the last page.',
    },
  }),
  ...inFile(`${LIB}/worker/worker.repository.ts`, [REPOSITORIES], {
    'restart-keeps-since': {
      find: 'CASE WHEN $3 THEN clock_timestamp() ELSE w.since END',
      replace: 'CASE WHEN $3 THEN w.since ELSE w.since END',
      defect: 'A restarted worker shows the start time of the process before it.',
    },
    'heartbeat-resets-since': {
      find: 'CASE WHEN $3 THEN clock_timestamp() ELSE w.since END',
      replace: 'CASE WHEN $3 THEN w.since ELSE clock_timestamp() END',
      defect: 'Every worker seems to have started with its last heartbeat.',
    },
    'dead-workers-listed': {
      find: 'WHERE seen_at < clock_timestamp() - make_interval(secs => $1)',
      replace: 'WHERE seen_at < clock_timestamp() - make_interval(secs => 1000 * $1)',
      defect: 'Workers that no longer exist stay on the Pipeline screen.',
    },
  }),
  ...inFile(`${LIB}/content-item/item-moves.ts`, [`${LIB}/content-item/item-moves.int.spec.ts`], {
    'move-ignores-version': {
      find: 'AND i.id = w.item AND i.version = w.version',
      replace: 'AND i.id = w.item AND w.version > 0',
      defect: 'The end of a job overwrites what a person changed meanwhile.',
    },
    'move-beside-an-open-job': {
      find: 'AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.stage',
      replace: 'AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE false AND j.stage',
      defect: 'A request that must be refused fails the transaction instead.',
    },
    'move-reads-all-open-jobs': {
      find: ' OFFSET 0)\n',
      replace: ')\n',
      defect: 'While many jobs wait in a large table, each move of an item reads all of them.',
    },
  }),
  ...inFile(`${LIB}/stage-job/stage-job.repository.ts`, [`${LIB}/content-item/item-moves.int.spec.ts`], {
    'refused-move-counts-as-done': {
      find: 'if (count !== size) throw',
      replace: 'if (count > size) throw',
      defect: 'A job ends although its item did not move, and the item stays where it is permanently.',
    },
  }),
  ...inFile(`${LIB}/database/sql-repository.ts`, [`${LIB}/content-item/item-moves.int.spec.ts`], {
    'statement-before-deferred-writes': {
      find: 'await this.deferred?.flush();',
      replace: '',
      defect: 'A statement does not see what its own transaction wrote before.',
    },
  }),
  ...inFile(`${LIB}/publish-attempt/publish-attempt.repository.ts`, [`${LIB}/publish-attempt/publish-attempt.repository.int.spec.ts`], {
    'transition-ignores-version': {
      find: 'WHERE id = $1 AND version = $2 AND state = $3`',
      replace: 'WHERE id = $1 AND $2::int > 0 AND state = $3`',
      defect: 'Of two concurrent writers of an attempt both win.',
    },
    'unknown-attempt-is-not-earlier': {
      find: "AND (state IN ('intent','unknown','published') OR answered_media_id",
      replace: "AND (state IN ('intent','published') OR answered_media_id",
      defect: 'A post whose outcome is unknown is published a second time.',
    },
    'answered-attempt-is-not-earlier': {
      find: "'published') OR answered_media_id IS NOT NULL\n",
      replace: "'published')\n",
      defect: 'A post that a frozen worker published is published a second time.',
    },
    'called-attempt-is-not-earlier': {
      find: "           OR (state IN ('open','container') AND called_at IS NOT NULL))\n",
      replace: '           )\n',
      defect: 'A post whose call was made and is retried is published by another attempt too.',
    },
    'own-attempt-is-earlier': {
      find: 'make_interval(days => $7))))) AND id <> $4\n',
      replace: 'make_interval(days => $7))))) AND $4::uuid IS NOT NULL\n',
      defect: 'An attempt takes its own call for that of another one and is skipped.',
    },
    'same-post-with-another-caption': {
      find: 'WHERE (item_id = $5 OR (account_id = $1',
      replace: 'WHERE ($5::uuid IS NULL OR (account_id = $1',
      defect: 'A post whose earlier attempt is out is published again with another caption.',
    },
    'answer-overwritten': {
      find: 'SET answered_media_id = $2 WHERE id = $1 AND answered_media_id IS NULL',
      replace: 'SET answered_media_id = $2 WHERE id = $1',
      defect: 'The first evidence of a publication is overwritten.',
    },
    'post-now-delays-the-queue': {
      find: "AND a.state IN ('open','container','intent','unknown') AND NOT q.immediate`",
      replace: "AND a.state IN ('open','container','intent','unknown')`",
      defect: 'A post that a person published at once moves the slots of the queue.',
    },
    'reconciles-twice': {
      find: "         AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.subject_id = a.id AND j.state IN ('requested','running','waiting','retrying'))\n",
      replace: '',
      defect: 'An attempt that is being reconciled is requested again at each run of the scheduler.',
    },
    'reconciles-early': {
      find: "a.state = 'unknown' AND (a.next_look_at IS NULL OR a.next_look_at <= now())",
      replace: "a.state = 'unknown' AND (a.next_look_at IS NULL OR a.next_look_at > '-infinity')",
      defect: 'An unknown outcome is looked up without its pause, and uses up the quota of requests.',
    },
    'fresh-attempt-is-abandoned': {
      find: "AND a.updated_at < now() - interval '10 minutes'",
      replace: "AND a.updated_at < now() + interval '10 minutes'",
      defect: 'An attempt that has just been opened is treated as one that lost its job.',
    },
    'own-media-is-foreign': {
      find: 'AND id IS DISTINCT FROM $3::uuid`',
      replace: 'AND (id IS NOT NULL OR id = $3::uuid)`',
      defect: 'The reconciliation refuses the media that its own attempt published.',
    },
    'counts-own-unidentified-post': {
      find: "id <> $2 AND kind <> 'story'",
      replace: "$2::uuid IS NOT NULL AND kind <> 'story'",
      defect: 'The media of a post is taken for that of another post with the same caption.',
    },
    'newest-hides-published': {
      find: "ORDER BY item_id, (state = 'published') DESC, created_at DESC`",
      replace: 'ORDER BY item_id, created_at DESC`',
      defect: 'A failed second attempt hides that the item is published.',
    },
  }),
  ...inFile(`${LIB}/database/transaction.ts`, [`${LIB}/database/transaction.int.spec.ts`], {
    'rollback-reported-as-commit': {
      find: "if ((await committed).command !== 'COMMIT')",
      replace: "if ((await committed).command === 'none')",
      defect: 'A transaction whose failed statement was swallowed counts as committed.',
    },
    'failed-last-statement-ignored': {
      find: '      await wrote;\n',
      replace: '      await wrote?.catch(() => undefined);\n',
      defect: 'The error of the statement that writes history and outbox is lost.',
    },
  }),
];
