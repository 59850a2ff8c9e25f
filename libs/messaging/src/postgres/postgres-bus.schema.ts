/**
 * The tables of the bus on Postgres; may be run again and again. A message lies in `bus_messages` until its topic's retention has
 * passed; each group has one row per message it has not settled in `bus_deliveries`. `due_at` says from when a delivery may be
 * claimed: a claim moves it to the end of the lease, so that a row whose consumer died comes back by itself. Messages and deliveries
 * name their parents without a foreign key: a look-up per row is dear, topics and groups are never deleted, and a message goes only
 * when nobody has to be given it any more.
 */
export const POSTGRES_BUS_SCHEMA = `
CREATE TABLE IF NOT EXISTS bus_topics (
  name text PRIMARY KEY,
  retention_ms bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS bus_groups (
  group_name text NOT NULL,
  topic text NOT NULL REFERENCES bus_topics (name) ON DELETE CASCADE,
  PRIMARY KEY (group_name, topic)
);
CREATE TABLE IF NOT EXISTS bus_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS bus_messages_by_age ON bus_messages (topic, published_at);
CREATE TABLE IF NOT EXISTS bus_deliveries (
  group_name text NOT NULL,
  topic text NOT NULL,
  message_id bigint NOT NULL,
  key text NOT NULL,
  due_at timestamptz NOT NULL DEFAULT now(),
  owner uuid,
  PRIMARY KEY (group_name, topic, message_id)
);
CREATE INDEX IF NOT EXISTS bus_deliveries_by_key ON bus_deliveries (group_name, topic, key, message_id);
CREATE INDEX IF NOT EXISTS bus_deliveries_by_message ON bus_deliveries (message_id);
`;
