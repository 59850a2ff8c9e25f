import type { ContentItem } from '@autoposter/contracts';
import { useContentDetails } from '../../../data/content/use-content';
import type { ProcessedAddress, ProcessedFields } from '../processed.url';
import { AnalysisDialog } from './analysis-dialog';
import { DetailsDialog } from './details-dialog';

interface ItemDialogsProps {
  items: readonly ContentItem[];
  address: ProcessedAddress;
  onChange: (change: Partial<ProcessedFields>) => void;
}

/** The dialog that the address names. A card is shown at once; what only the details hold follows. */
export function ItemDialogs({ items, address: { item: id, dialog, view }, onChange }: ItemDialogsProps) {
  const details = useContentDetails(dialog === null ? null : id);
  if (dialog === null || id === null) return null;
  const item = details.data ?? items.find((each) => each.id === id) ?? null;
  const close = () => onChange({ dialog: '', ...(view === 'grid' ? { item: '' } : {}) });
  const Dialog = dialog === 'details' ? DetailsDialog : AnalysisDialog;
  return <Dialog item={item} reading={details.isPending} error={details.error} onClose={close} />;
}
