import type { Migration } from './migration';

/** Adds up rows of (subreddit, reason, day, n); `*` stands for all subreddits or all reasons, and no subreddit is called that. */
const addUp = (changed: string): string => `
  INSERT INTO skipped_post_counts AS c (subreddit, reason, day, posts)
  SELECT s.subreddit, r.reason, changed.day, sum(changed.n)
  FROM (${changed}) AS changed (subreddit, reason, day, n)
  CROSS JOIN LATERAL (VALUES ('*'), (changed.subreddit)) AS s (subreddit)
  CROSS JOIN LATERAL (VALUES ('*'), (changed.reason)) AS r (reason)
  GROUP BY 1, 2, 3 HAVING sum(changed.n) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (subreddit, reason, day) DO UPDATE SET posts = c.posts + excluded.posts`;

const rowsOf = (table: string, sign: '1' | '-1'): string =>
  `SELECT subreddit, reason, (skipped_at AT TIME ZONE 'UTC')::date, ${sign} * count(*) FROM ${table} GROUP BY 1, 2, 3`;

/**
 * Numbered pages of skipped posts with their total, at any number of rows: counts per day, subreddit and reason that the database keeps by
 * itself, and an index for each order.
 */
export const countSkippedPosts: Migration = {
  name: 'CountSkippedPosts1763743000001',
  up: [
    // Days of UTC: what a day of another time zone has of them at its ends is counted when it is asked for.
    `CREATE TABLE skipped_post_counts (
    subreddit text NOT NULL,
    reason text NOT NULL,
    day date NOT NULL,
    posts bigint NOT NULL,
    PRIMARY KEY (subreddit, reason, day) INCLUDE (posts)
  ) WITH (fillfactor = 70)`,
    `CREATE FUNCTION count_skipped_posts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'TRUNCATE' THEN
      TRUNCATE skipped_post_counts;
    ELSIF TG_OP = 'INSERT' THEN
      ${addUp(rowsOf('added', '1'))};
    ELSIF TG_OP = 'DELETE' THEN
      ${addUp(rowsOf('gone', '-1'))};
    ELSE
      ${addUp(`${rowsOf('added', '1')} UNION ALL ${rowsOf('gone', '-1')}`)};
    END IF;
    RETURN NULL;
  END $$`,
    `CREATE TRIGGER skipped_posts_added AFTER INSERT ON skipped_posts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
    `CREATE TRIGGER skipped_posts_changed AFTER UPDATE ON skipped_posts REFERENCING NEW TABLE AS added OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
    `CREATE TRIGGER skipped_posts_gone AFTER DELETE ON skipped_posts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
    `CREATE TRIGGER skipped_posts_emptied AFTER TRUNCATE ON skipped_posts FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
    addUp(rowsOf('skipped_posts', '1')),
    `DROP INDEX skipped_posts_by_time`,
    `DROP INDEX skipped_posts_by_reason`,
    `DROP INDEX skipped_posts_by_subreddit`,
    `CREATE INDEX skipped_posts_by_time ON skipped_posts (skipped_at, id)`,
    // With what can be filtered and sorted by: a page is found in an index alone, whatever the filters and the order.
    `CREATE INDEX skipped_posts_by_subreddit ON skipped_posts (subreddit, skipped_at, id) INCLUDE (reason, score, source_created_at)`,
    `CREATE INDEX skipped_posts_by_reason ON skipped_posts (reason, skipped_at, id) INCLUDE (score, source_created_at)`,
    `CREATE INDEX skipped_posts_by_both ON skipped_posts (subreddit, reason, skipped_at, id) INCLUDE (score, source_created_at)`,
    `CREATE INDEX skipped_posts_by_score ON skipped_posts (score, id) INCLUDE (subreddit, reason, skipped_at)`,
    `CREATE INDEX skipped_posts_by_age ON skipped_posts (source_created_at DESC NULLS LAST, id DESC) INCLUDE (subreddit, reason, skipped_at)`,
  ],
  down: [
    ...['time', 'subreddit', 'reason', 'both', 'score', 'age'].map((what) => `DROP INDEX skipped_posts_by_${what}`),
    `CREATE INDEX skipped_posts_by_time ON skipped_posts (skipped_at DESC, id)`,
    `CREATE INDEX skipped_posts_by_reason ON skipped_posts (reason, skipped_at DESC)`,
    `CREATE INDEX skipped_posts_by_subreddit ON skipped_posts (subreddit, skipped_at DESC)`,
    ...['added', 'changed', 'gone', 'emptied'].map((what) => `DROP TRIGGER skipped_posts_${what} ON skipped_posts`),
    `DROP FUNCTION count_skipped_posts()`,
    `DROP TABLE skipped_post_counts`,
  ],
};

/** One breaker per AI provider for all processes, and why a job waits as data. */
export const addAiProviders: Migration = {
  name: 'AddAiProviders1763750000020',
  up: [
    `CREATE TABLE ai_providers (
    provider text PRIMARY KEY,
    model text NOT NULL,
    configuration text NOT NULL,
    daily_limit integer NOT NULL,
    failure jsonb,
    incident uuid,
    refused_at timestamptz,
    retry_at timestamptz,
    refusals integer NOT NULL DEFAULT 0,
    probe_job uuid,
    probe_until timestamptz
  )`,
    // nullable without a default: no table rewrite
    `ALTER TABLE stage_jobs ADD COLUMN wait_code text, ADD COLUMN wait_side text`,
  ],
  down: [`ALTER TABLE stage_jobs DROP COLUMN IF EXISTS wait_code, DROP COLUMN IF EXISTS wait_side`, `DROP TABLE IF EXISTS ai_providers`],
};

/** One request budget per provider for all processes, pauses of single sources, and jobs that a person waits for. */
export const shareRequestBudgets: Migration = {
  name: 'ShareRequestBudgets1763750000030',
  up: [
    `CREATE TABLE provider_budgets (
    provider text PRIMARY KEY,
    total integer,
    remaining integer,
    window_ends_at timestamptz,
    probe_until timestamptz,
    blocked_until timestamptz,
    refusals integer NOT NULL DEFAULT 0
  )`,
    `CREATE TABLE provider_pauses (
    provider text NOT NULL,
    source text NOT NULL,
    refusals integer NOT NULL DEFAULT 1,
    paused_until timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (provider, source)
  )`,
    `ALTER TABLE stage_jobs ADD COLUMN for_person boolean NOT NULL DEFAULT false`,
    `CREATE INDEX stage_jobs_for_person ON stage_jobs (stage, requested_at) WHERE state = 'requested' AND for_person`,
  ],
  down: [
    `DROP INDEX stage_jobs_for_person`,
    `ALTER TABLE stage_jobs DROP COLUMN for_person`,
    `DROP TABLE provider_pauses`,
    `DROP TABLE provider_budgets`,
  ],
};

/** Posts are told by their media as well as by their id, and skipped posts are found by the post that they are about. */
export const tellPostsByMedia: Migration = {
  name: 'TellPostsByMedia1763750000031',
  up: [
    `ALTER TABLE content_items ADD COLUMN source_key text`,
    // the keys have up to 2,000 characters: the index holds their hash
    `CREATE INDEX content_items_by_source_key ON content_items (md5(source_key)) WHERE source_key IS NOT NULL`,
    `CREATE INDEX skipped_posts_by_source ON skipped_posts (source_id)`,
  ],
  down: [
    `DROP INDEX skipped_posts_by_source`,
    `DROP INDEX content_items_by_source_key`,
    `ALTER TABLE content_items DROP COLUMN source_key`,
  ],
};

/** When a post was last looked for at its source, and since when it is known to be gone there. */
export const checkPostsAtSource: Migration = {
  name: 'CheckPostsAtSource1763750000032',
  up: [
    `ALTER TABLE content_items ADD COLUMN source_checked_at timestamptz(3), ADD COLUMN source_removed_at timestamptz(3)`,
    `CREATE INDEX content_items_by_source_check ON content_items (state, source_checked_at NULLS FIRST, id)
       WHERE platform = 'reddit' AND source_removed_at IS NULL AND state NOT IN ('accepted','downloading','deleted')`,
    `CREATE INDEX content_items_source_removed ON content_items (source_removed_at) WHERE source_removed_at IS NOT NULL`,
  ],
  down: [
    `DROP INDEX content_items_source_removed`,
    `DROP INDEX content_items_by_source_check`,
    `ALTER TABLE content_items DROP COLUMN source_checked_at, DROP COLUMN source_removed_at`,
  ],
};

/** Posts from before `source_key` get the key that `sourceKeyOf` gives to their source post, so that their crossposts are recognised too. */
export const keyEarlierPosts: Migration = {
  name: 'KeyEarlierPosts1763750000105',
  up: [
    `
      UPDATE content_items AS i SET source_key = left(coalesce(k.media, 'post:' || coalesce(i.source_post->>'originId', i.source_id)), 2000)
      FROM content_items AS o CROSS JOIN LATERAL (
        SELECT 'media:' || string_agg(coalesce(
            lower(substring(address FROM '^https?://([^/?#]*)')) || coalesce(substring(address FROM '^https?://[^/?#]*(/[^?#]*)'), '/'),
            address), ' ' ORDER BY place) AS media
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(o.source_post->'media') = 'array' THEN o.source_post->'media' ELSE '[]' END)
               WITH ORDINALITY AS listed (file, place)
          CROSS JOIN LATERAL (SELECT coalesce(file->>'manifestUrl', file->>'url') AS address) AS named
      ) AS k
      WHERE o.id = i.id AND i.source_key IS NULL AND jsonb_typeof(i.source_post) = 'object'`,
  ],
  /** The column is dropped by the migration that added it. */
  down: [],
};

/** One spelling of each subreddit by its name in small letters: Reddit's own, where a post of it told, else one of those in use. */
const SPELLINGS = `WITH named (name, told) AS (
    SELECT subreddit, true FROM content_items WHERE platform = 'reddit' AND subreddit IS NOT NULL
    UNION SELECT subreddit, false FROM skipped_posts WHERE platform = 'reddit' AND subreddit <> 'reddit'
  ), spelling AS (
    SELECT DISTINCT ON (lower(name)) lower(name) AS key, name FROM named ORDER BY lower(name), told DESC, name = lower(name), name)`;
const SPELLED = "p.platform = 'reddit' AND p.subreddit <> 'reddit' AND lower(p.subreddit) = spelling.key";

/** Skipped posts were recorded under the configured spelling of a subreddit or under Reddit's. Of a post that has both rows, the newer one stays. */
export const spellSubreddits: Migration = {
  name: 'SpellSubreddits1763750000600',
  up: [
    `UPDATE skipped_posts p SET item_id = o.item_id FROM skipped_posts o
     WHERE p.platform = 'reddit' AND o.platform = 'reddit' AND o.source_id = p.source_id AND lower(o.subreddit) = lower(p.subreddit)
       AND p.item_id IS NULL AND o.item_id IS NOT NULL`,
    `DELETE FROM skipped_posts p USING skipped_posts o
     WHERE p.platform = 'reddit' AND o.platform = 'reddit' AND o.source_id = p.source_id AND lower(o.subreddit) = lower(p.subreddit)
       AND p.subreddit <> 'reddit' AND o.subreddit <> 'reddit' AND (o.skipped_at, o.id) > (p.skipped_at, p.id)`,
    `${SPELLINGS} UPDATE skipped_posts p SET subreddit = spelling.name FROM spelling WHERE ${SPELLED} AND p.subreddit <> spelling.name`,
    `${SPELLINGS} UPDATE subreddits s SET name = spelling.name FROM spelling WHERE lower(s.name) = spelling.key AND s.name <> spelling.name`,
  ],
  /** The spelling of a row is not remembered, and every version reads any. */
  down: [],
};

/** How the media of a subreddit are brought to Instagram's ratios. */
export const layOutMedia: Migration = {
  name: 'LayOutMedia1763750000170',
  up: [`ALTER TABLE subreddits ADD COLUMN media_layout text NOT NULL DEFAULT 'blur' CHECK (media_layout IN ('blur','pad','crop'))`],
  down: [`ALTER TABLE subreddits DROP COLUMN media_layout`],
};

/** An address without scheme, query, device host and last slashes. */
const PLAIN_ADDRESS = `rtrim(regexp_replace(regexp_replace(url, '[?#].*$', ''), '^https?://((www|m|mobile|amp)[.])?', '', 'i'), '/')`;

/**
 * What claims may name each post by, kept by the database: the ids of its posts, the addresses of post and files with their parts (the end of a name too, which
 * follows the title in some), authors and subreddits. In a table of its own, because the index would be written with each state of an item.
 */
export const findItemsByTerms: Migration = {
  name: 'FindItemsByTerms1763750000690',
  up: [
    `CREATE TABLE item_terms (item_id uuid PRIMARY KEY REFERENCES content_items (id) ON DELETE CASCADE, terms text[] NOT NULL)`,
    // in PL/pgSQL, which plans the query once per connection and not for each item
    `CREATE FUNCTION terms_of(item content_items) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (WITH addresses (address) AS (
      SELECT lower(split_part(plain, '/', 1)) || coalesce(substring(plain FROM '/.*$'), '') FROM (SELECT ${PLAIN_ADDRESS} AS plain FROM (
        SELECT item.original_url UNION ALL SELECT item.source_post->>'permalink' UNION ALL
        SELECT unnest(ARRAY[file->>'url', file->>'audioUrl', file->>'manifestUrl'])
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(item.source_post->'media') = 'array' THEN item.source_post->'media' ELSE '[]' END) file
      ) AS given (url)) AS stripped
    ), parts (part) AS (SELECT unnest(string_to_array(address, '/')) FROM addresses)
    SELECT coalesce(array_agg(DISTINCT left(term, 500)) FILTER (WHERE term <> ''), '{}') FROM (
      SELECT unnest(ARRAY[item.source_id, item.source_post->>'sourceId', item.source_post->>'originId'])
      UNION ALL SELECT address FROM addresses
      UNION ALL SELECT part FROM parts
      UNION ALL SELECT regexp_replace(part, '^.*-', '') FROM parts
      UNION ALL SELECT 'author:' || item.platform || ':' || lower(name)
        FROM unnest(ARRAY[item.author, item.source_post->>'author', item.source_post->>'sharedBy']) name
      UNION ALL SELECT 'subreddit:' || lower(name)
        FROM unnest(ARRAY[item.subreddit, item.source_post->>'subreddit', item.source_post->>'originSubreddit']) name
    ) AS named (term));
  END $$`,
    `CREATE FUNCTION keep_item_terms() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO item_terms VALUES (NEW.id, terms_of(NEW)) ON CONFLICT (item_id) DO UPDATE SET terms = excluded.terms;
    RETURN NULL;
  END $$`,
    `CREATE TRIGGER items_named AFTER INSERT ON content_items FOR EACH ROW EXECUTE FUNCTION keep_item_terms()`,
    `CREATE TRIGGER items_renamed AFTER UPDATE OF source_id, original_url, author, subreddit, source_post ON content_items FOR EACH ROW
   WHEN ((OLD.source_id, OLD.original_url, OLD.author, OLD.subreddit, OLD.source_post)
     IS DISTINCT FROM (NEW.source_id, NEW.original_url, NEW.author, NEW.subreddit, NEW.source_post)) EXECUTE FUNCTION keep_item_terms()`,
    `INSERT INTO item_terms SELECT i.id, terms_of(i) FROM content_items i`,
    `CREATE INDEX item_terms_by_term ON item_terms USING gin (terms) WITH (fastupdate = off)`,
  ],
  down: [
    `DROP TRIGGER items_named ON content_items`,
    `DROP TRIGGER items_renamed ON content_items`,
    `DROP FUNCTION keep_item_terms()`,
    `DROP FUNCTION terms_of(content_items)`,
    `DROP TABLE item_terms`,
  ],
};
