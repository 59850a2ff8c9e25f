import { URLS_TEXT } from '../../text/urls.text';
import { Page } from '../../ui/layout';
import { DownloadQueue } from './download-queue';
import { UrlForm } from './url-form';
import { Box } from '../../ui/mui';

export function UrlsScreen() {
  return (
    <Page title={URLS_TEXT.title} lead="Paste post URLs and follow each post through the pipeline.">
      <Box sx={{ display: 'grid', gap: 5 }}>
        <UrlForm />
        <DownloadQueue />
      </Box>
    </Page>
  );
}
