import { armFault, faultPoint } from './fault-point';

describe('faultPoint', () => {
  let kill: jest.SpiedFunction<typeof process.kill>;
  beforeEach(() => (kill = jest.spyOn(process, 'kill').mockReturnValue(true)));
  afterEach(() => {
    armFault(null);
    kill.mockRestore();
  });

  it('does nothing unless armed for this place', () => {
    faultPoint('claim:before');
    armFault('commit:after');
    faultPoint('commit:before');
    expect(kill).not.toHaveBeenCalled();
    faultPoint('commit:after');
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL');
  });

  it('fires on the given pass', () => {
    armFault('send:before#3');
    faultPoint('send:before');
    faultPoint('send:before');
    expect(kill).not.toHaveBeenCalled();
    faultPoint('send:before');
    expect(kill).toHaveBeenCalledTimes(1);
  });
});
