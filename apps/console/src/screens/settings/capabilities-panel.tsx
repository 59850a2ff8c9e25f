import type { Capabilities } from '@autoposter/contracts';
import { useCapabilities } from '../../data/publishing/use-publishing';
import { SETTINGS_TEXT } from '../../text/operations.text';
import { type Column, DataTable } from '../../ui/data-table';
import { LoadState } from '../../ui/feedback';
import { Panel } from '../../ui/layout';
import { Box } from '../../ui/mui';

const TEXT = SETTINGS_TEXT.capabilities;
type Capability = Capabilities['capabilities'][number];

const columnsOf = ({ login }: Capabilities): Column<Capability>[] => [
  { name: TEXT.columns.capability, cell: ({ label }) => label },
  {
    name: TEXT.columns.kinds,
    cell: ({ kinds }) => (kinds.length === 0 ? TEXT.everything : kinds.map((kind) => TEXT.kinds[kind]).join(', ')),
  },
  ...(['instagram', 'facebook'] as const).map((name) => ({
    name: name === login ? TEXT.current(TEXT.columns[name]) : TEXT.columns[name],
    cell: (entry: Capability) => (
      <Box sx={{ color: entry[name].available ? 'status.green.text' : 'text.secondary' }}>{entry[name].reason ?? TEXT.available}</Box>
    ),
  })),
];

/** Which option of a post and which check Instagram's API offers with each login, or why not. */
export function CapabilitiesPanel() {
  const query = useCapabilities();
  const { data } = query;
  return (
    <Panel title={TEXT.title} lead={data && TEXT.lead(data.version, data.versionNote)} flush>
      <LoadState query={query} loading={{ rows: 4, height: 32, label: TEXT.loading }} error={String} />
      {data === undefined ? null : (
        <DataTable label={TEXT.label} columns={columnsOf(data)} rows={data.capabilities} keyOf={({ name }) => name} />
      )}
    </Panel>
  );
}
