import { addressRefusal, isPublicAddress } from './address-rules';

const extra = new Set(['http://127.0.0.1:4000']);

describe('addressRefusal', () => {
  it.each([
    'https://v.redd.it/abc/CMAF_720.mp4',
    'https://i.redd.it/a.jpg',
    'https://i.reddituploads.com/0a1b?s=2c3d',
    'https://i.imgur.com/abc.mp4',
    'https://scontent-x.cdninstagram.com/v/1.mp4',
    'http://127.0.0.1:4000/a.mp4',
  ])('lets %s pass', (url) => expect(addressRefusal(new URL(url), { extraOrigins: extra, publicOnly: false })).toBeNull());

  it.each([
    'http://v.redd.it/abc',
    'https://v.redd.it:8443/abc',
    'https://user:secret@v.redd.it/abc',
    'https://evil.test/v.redd.it',
    'https://imgur.com/a/abc',
    'https://v.redd.it.evil.test/abc',
    'https://cdninstagram.com.evil.test/',
    'http://127.0.0.1:4001/a.mp4',
    'https://127.0.0.1:4000/a.mp4',
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data',
  ])('refuses %s', (url) => expect(addressRefusal(new URL(url), { extraOrigins: extra, publicOnly: false })).not.toBeNull());
});

describe('addressRefusal of any host', () => {
  const rules = { extraOrigins: extra, publicOnly: false, anyHost: true };

  it.each(['https://photographs.example/one.jpg', 'https://151.101.1.140/a.jpg', 'http://127.0.0.1:4000/a.mp4'])('lets %s pass', (url) =>
    expect(addressRefusal(new URL(url), rules)).toBeNull(),
  );

  it.each([
    'http://photographs.example/one.jpg',
    'https://photographs.example:8443/one.jpg',
    'https://user:secret@photographs.example/one.jpg',
    'https://127.0.0.1/a.jpg',
    'https://[::1]/a.jpg',
    'https://10.0.0.8/a.jpg',
    'https://2130706433/a.jpg',
    'https://[::ffff:169.254.169.254]/latest/meta-data',
    'file:///etc/passwd',
    'ftp://photographs.example/one.jpg',
  ])('refuses %s', (url) => expect(addressRefusal(new URL(url), rules)).not.toBeNull());
});

describe('addressRefusal of added origins', () => {
  const added = ['http://169.254.169.254', 'https://[fd00:ec2::254]', 'https://[::ffff:169.254.169.254]', 'https://100.100.100.200'];
  it.each(added)('refuses the metadata address %s even where it was added', (origin) => {
    const url = new URL(`${origin}/latest/meta-data`);
    expect(addressRefusal(url, { extraOrigins: new Set([url.origin]), publicOnly: false })).toMatch(/not one that media is fetched from/);
  });

  it.each(['http://127.0.0.1:4000', 'https://10.0.0.8', 'https://2130706433', 'https://[::1]'])(
    'lets the private address %s pass only where it does not have to be public',
    (origin) => {
      const url = new URL(`${origin}/a.mp4`);
      expect(addressRefusal(url, { extraOrigins: new Set([url.origin]), publicOnly: false })).toBeNull();
      expect(addressRefusal(url, { extraOrigins: new Set([url.origin]), publicOnly: true })).not.toBeNull();
    },
  );
});

describe('isPublicAddress', () => {
  it.each(['151.101.1.140', '2a04:4e42::396'])('takes %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'not-an-ip',
    '2130706433',
  ])('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
});
