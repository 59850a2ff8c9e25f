import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@autoposter/config';
import { createObjectStore } from './systems';

describe('createObjectStore', () => {
  let server: Server;
  let authorizations: string[];

  beforeEach(async () => {
    authorizations = [];
    server = createServer((request, response) => {
      authorizations.push(request.headers.authorization ?? '');
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    [{}, 'us-east-1'],
    [{ MINIO_REGION: 'eu-central-1' }, 'eu-central-1'],
  ])('signs requests for the region of %j', async (environment, region) => {
    const config = loadConfig('dmca-worker', {
      DATABASE_URL: 'postgresql://user@db.example/autoposter',
      OBJECT_STORE: 'minio',
      MINIO_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      MINIO_ACCESS_KEY: 'access',
      MINIO_SECRET_KEY: 'secret',
      ...environment,
    });
    await createObjectStore(config).health();
    expect(authorizations[0]).toMatch(new RegExp(`^AWS4-HMAC-SHA256 Credential=access/\\d{8}/${region}/s3/aws4_request`, 'u'));
  });
});
