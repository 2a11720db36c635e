/**
 * Commands that run `./evil` or write a file by an option or argument, under a harmless command of a similar program from which a user could have made
 * a rule.
 */
/** Attacks that need no more than a shell, git and the usual small programs, and touch nothing outside their folder: they can be run. */
export const runnable = [
  'git status',
  'tar tf a.tar',
  'sort a',
  'find . -type f',
  'sed -n 1p a',
  'cp a b',
  'cat a',
  'grep needle a',
  'ls -la',
  'pwd',
];

export const attacks: Readonly<Record<string, readonly string[]>> = {
  'git status': lines(`
    git grep -O./evil needle
    git grep --open-files-in-pager=./evil needle
    git ls-remote --upload-pack=./evil .
    git ls-remote --exec=./evil .
    git log --output=victim
    git log --outp=victim
    git show --output=victim
    git diff --output=victim HEAD
    git diff --no-index --output=victim a b
    git shortlog --output=victim HEAD
    git -c core.pager=./evil -p log
    git -c core.fsmonitor=./evil status
    git -c core.sshCommand=./evil fetch ssh://localhost/x
    git -c diff.external=./evil diff HEAD
    git -c protocol.ext.allow=always ls-remote "ext::./evil"
    git -c alias.x=!./evil x
    git -c core.editor=./evil commit --amend
    git -c sequence.editor=./evil rebase -i --root
    git --exec-path=. evil
    git -p --exec-path=. evil
    git --config-env=core.fsmonitor=EVIL status
    git fetch --upload-pack=./evil .
    git pull --upload-pack=./evil .
    git clone --upload-pack=./evil . new
    git clone -u ./evil ssh://localhost/x new
    git push --receive-pack=./evil . HEAD
    git push --exec=./evil . HEAD
    git archive --output=victim HEAD
    git archive -o victim HEAD
    git archive --remote=. --exec=./evil HEAD
    git bundle create victim HEAD
    git format-patch -o new --root HEAD
    git difftool -y -x ./evil --no-index a b
    git difftool --no-prompt --extcmd=./evil HEAD
    git rebase --exec ./evil --root
    git config core.pager ./evil
    git branch new
    git tag new
    git -C . tag new
    git --git-dir=.git tag new
    git init new
    git worktree add new
    git commit --allow-empty -m x
    git add victim
    git rm -f a
    git mv a new
    git notes add -m x
    git update-ref refs/heads/new HEAD
    git hash-object -w victim
    git remote add x ./evil
    git checkout HEAD -- changed
    git restore changed
    git stash
    git reset --hard
    git clean -f victim
    GIT_PAGER=./evil git -p log
    GIT_EXTERNAL_DIFF=./evil git diff HEAD
    GIT_SSH_COMMAND=./evil git fetch ssh://localhost/x
    GIT_EDITOR=./evil git commit --amend
    GIT_TRACE=$PWD/victim git status`),
  'npm test': lines(`
    npm test --script-shell=./evil
    npm --script-shell ./evil test
    npm_config_script_shell=./evil npm test
    npm exec -c ./evil
    npm exec --call=./evil
    npm --node-options=--require=./evil.js test
    npm init -y
    npm pkg set scripts.test=./evil
    npm version 9.9.9 --no-git-tag-version
    npm pack
    npm test --prefix new
    npm config set script-shell=./evil --location=project
    npx -c ./evil
    npx --yes --package=./evil evil`),
  'pnpm list': lines(`
    pnpm exec ./evil
    pnpm -C . exec ./evil
    pnpm dlx ./evil
    pnpm --script-shell=./evil test
    pnpm list --global-pnpmfile=evil.js
    yarn exec ./evil
    yarn --cwd . run evil
    yarn node evil.js
    yarn list --use-yarnrc evil.rc
    uvx --from . evil
    uv run ./evil
    bunx ./evil
    pip install --target new .
    pip download -d new .
    pip config --editor ./evil edit
    pipx run --spec . evil`),
  'make test': lines(`
    make test SHELL=./evil
    make SHELL=./evil test
    make -f evil.mk
    make --file=evil.mk
    make -fevil.mk test
    make --eval=test:needs --touch test
    make -t test
    make prog CC=./evil
    make -I. -f evil.mk
    MAKEFLAGS=--eval=include=evil.mk make test
    MAKEFILES=evil.mk make test
    gmake SHELL=./evil test`),
  'tar tf a.tar': lines(`
    tar cf new.tar --checkpoint=1 --checkpoint-action=exec=./evil a
    tar tf a.tar --checkpoint=1 --checkpoint-action=exec=./evil
    tar tf a.tar -I ./evil
    tar tf a.tar --use-compress-program=./evil
    tar tf a.tar --use-comp=./evil
    tar xf a.tar --to-command=./evil
    tar tf host:a.tar --rsh-command=./evil
    tar cf new.tar -L 1 -F ./evil big
    tar cf new.tar -L 1 --info-script=./evil big
    tar tvf a.tar --index-file=victim
    tar cf victim a
    tar -cvf victim a
    tar xf a.tar -C src
    tar xf a.tar --one-top-level=new
    tar cf new.tar --remove-files victim
    TAR_OPTIONS=--to-command=./evil tar xf a.tar
    cpio -o -F victim
    ar r victim a`),
  'sort a': lines(`
    sort a -o victim
    sort -ovictim a
    sort -uo victim a
    sort --output=victim a
    sort --outp=victim a
    sort -o victim -- a
    sort a -o "victim"
    sort 'a' '-o' 'victim'
    sort "-ovictim" a
    sort -S 1k --compress-program=./evil big
    sort -S 1k --compress=./evil big
    uniq a victim
    uniq -c a victim
    shuf a -o victim
    tsort a > victim`),
  'find . -type f': lines(`
    find a -exec ./evil ';'
    find a -exec ./evil {} +
    find a -exec ./evil \\;
    find a -execdir ./evil {} +
    find victim -delete
    find a -fprint victim
    find a -fprint0 victim
    find a -fprintf victim x
    find a -fls victim
    find -L victim -maxdepth 0 -delete
    fd a -x ./evil
    fd a --exec-batch=./evil`),
  'rg needle': lines(`
    rg --pre ./evil needle
    rg --pre=./evil needle
    rg needle --hostname-bin=./evil --hyperlink-format=default
    RIPGREP_CONFIG_PATH=evil.rc rg needle
    ag --pager ./evil needle
    ag --pager=./evil needle
    ack --pager=./evil needle`),
  'sed -n 1p a': lines(`
    sed -i s/h/y/ victim
    sed -n -i p victim
    sed -ni p victim
    sed -i.bak p victim
    sed --in-place s,h,y, victim
    sed --in-pl=.bak p victim
    sed -n 'w victim' a
    sed -n wvictim a
    sed -n 1wvictim a
    sed 's/needle/x/w victim' a
    sed 1e./evil a
    sed -e '1e ./evil' a
    sed --expression=1e./evil a
    sed 's,.*,./evil,e' a
    sed -f evil.sed a
    sed -fevil.sed a`),
  'awk 1 a': lines(`
    awk 'BEGIN{system("./evil")}'
    awk 'BEGIN{print "x" > "victim"}'
    awk 'BEGIN{"./evil" | getline}'
    awk -f evil.awk a
    awk -fevil.awk a
    gawk -i inplace 1 victim
    mawk -f evil.awk a
    perl -i -pe 1 victim
    perl -pi.bak -e 1 victim
    perl evil.pl
    perl -n evil.pl a
    perl -e 'system "./evil"'
    perl -MO=Deparse,./evil a
    ruby -e 'system "./evil"'
    php -r 'system("./evil");'
    lua -e 'os.execute("./evil")'`),
  'python3 --version': lines(`
    python3 evil.py
    python3 -c 'import evil'
    python3 -mevil
    python3 -m evil
    python3 -Wdefault -i -m evil
    python3.12 evil.py
    python3 -m venv --without-pip new
    python3 -m zipfile -c new.zip a
    python3 -m tarfile -c new.tar a
    python3 -m json.tool package.json victim
    python3 -m py_compile evil.py
    python3 -m cProfile -o victim evil.py
    python3 -m pytest -p evil
    PYTHONSTARTUP=evil.py python3 -i
    PYTHONPATH=. python3 -c 'import evil'`),
  'node --version': lines(`
    node evil.js
    node -r ./evil.js good.js
    node --require ./evil.js good.js
    node --require=./evil.js good.js
    node --import ./evil.js good.js
    node -e 'require("./evil.js")'
    node -pe 'require("./evil.js")'
    node --eval='require("./evil.js")'
    node --test evil.js
    node --cpu-prof good.js
    node --heap-prof good.js
    node --trace-event-categories=v8 good.js
    node --report-uncaught-exception --report-directory=. -e 'throw 1'
    node --watch evil.js
    NODE_OPTIONS=--require=./evil.js node --version good.js
    NODE_OPTIONS=--require=./evil.js node good.js
    nodejs evil.js
    deno run -A evil.js
    bun evil.js
    tsx evil.js`),
  'go vet': lines(`
    go vet -vettool=./evil
    go test -exec ./evil
    go build -toolexec=./evil
    go build -o victim
    go test -coverprofile=victim
    go env -w GOFLAGS=-toolexec=./evil
    go generate
    go run .
    cargo check --config build.rustc-wrapper="./evil"
    cargo check --config=evil.toml
    cargo build --target-dir new
    cargo new new
    RUSTC_WRAPPER=./evil cargo check
    RUSTC=./evil cargo check
    gcc -o victim prog.c
    gcc -wrapper ./evil prog.c
    gcc -c prog.c -o victim
    gcc -E prog.c -o victim
    cc -E prog.c -ovictim
    m4 evil.m4 -o victim
    eslint -c evil.js .
    prettier --plugin=./evil.js a
    jest --config evil.js
    tsc --outFile victim`),
  'docker ps': lines(`
    docker run -v .:/x alpine /x/evil
    docker exec c ./evil
    docker build -o new .
    docker --config new ps
    docker cp c:/x victim
    docker save -o victim alpine
    docker run --cidfile victim alpine
    kubectl --kubeconfig evil.yaml get pods
    kubectl exec pod -- ./evil
    kubectl cp pod:x victim
    helm template --post-renderer ./evil .
    terraform plan -out=victim
    ansible-playbook evil.yaml
    aws s3 cp s3://x victim`),
  'curl --version': lines(`
    curl -o victim file:///etc/passwd
    curl -so victim file:///etc/passwd
    curl -ovictim file:///etc/passwd
    curl --output victim file:///etc/passwd
    curl -O file:///etc/passwd
    curl --remote-name-all file:///etc/passwd
    curl -D victim file:///etc/passwd
    curl -c victim file:///etc/passwd
    curl --trace victim file:///etc/passwd
    curl --trace-ascii victim file:///etc/passwd
    curl --stderr victim file:///nowhere
    curl --libcurl victim file:///etc/passwd
    curl -K evil.curl
    curl --config evil.curl
    curl --etag-save victim file:///etc/passwd
    curl --create-dirs -o new/x file:///etc/passwd
    wget -O victim http://127.0.0.1:1/
    wget -o victim http://127.0.0.1:1/
    wget -a victim http://127.0.0.1:1/
    wget --output-document=victim http://127.0.0.1:1/
    wget --use-askpass=./evil http://127.0.0.1:1/
    wget -e use_askpass=./evil http://127.0.0.1:1/
    wget --rejected-log=new http://127.0.0.1:1/
    wget --warc-file=new http://127.0.0.1:1/`),
  'ssh -V': lines(`
    ssh -o ProxyCommand=./evil host
    ssh -oProxyCommand=./evil host
    ssh -F evil.ssh host
    ssh -E new -o ProxyCommand=./evil host
    ssh -V -o ProxyCommand=./evil host
    scp -S ./evil a host:
    scp -o ProxyCommand=./evil a host:
    scp a victim
    sftp -S ./evil host
    sftp -b a -S./evil host
    ssh-keygen -q -N x -f new
    ssh-keygen -D ./evil
    rsync -e ./evil a host:
    rsync --rsh=./evil a host:
    rsync a victim
    rsync --log-file=victim a b
    socat - EXEC:./evil
    nc -e ./evil 127.0.0.1 1`),
  'unzip -l a.zip': lines(`
    zip new.zip a -T -TT ./evil
    zip -T --unzip-command=./evil new.zip a
    zip new.zip a
    zip -m new.zip victim
    unzip -o a.zip
    unzip a.zip -d new
    gzip victim
    gzip -k victim
    bzip2 victim
    xz victim
    zstd victim
    7z a new.7z a
    openssl base64 -in a -out victim
    gpg -o victim --symmetric a`),
  'man ls': lines(`
    man -P ./evil ls
    man --pager=./evil ls
    man -H./evil ls
    MANPAGER=./evil man ls
    PAGER=./evil man ls
    less '+!./evil' a
    less -o victim a
    less -Ovictim a
    less --log-file=victim a
    LESSOPEN='./evil %s' less a
    more '+!./evil' a
    info --output=victim ls
    vim -es '+!./evil' +q
    vim -es '+w! victim' +q a
    vi -c '!./evil' a
    ed victim < evil.ed
    emacs --batch -l evil.el`),
  date: lines(`
    date > victim
    date; ./evil
    date -f $(./evil)
    file -C -m magic
    xxd a victim
    iconv -o victim a
    tree -o victim
    jq -n 1 > victim
    sqlite3 new.db vacuum
    sqlite3 new.db '.shell ./evil'
    sqlite3 new.db '.once victim'
    sqlite3 -cmd '.shell ./evil' new.db vacuum`),
  'diff a b': lines(`
    diff a b > victim
    sdiff -o victim a a
    sdiff --diff-program=./evil a b
    diff3 --diff-program=./evil a b a
    patch victim evil.patch
    patch -o victim a evil.patch
    cmp a b > victim
    comm a b > victim
    vimdiff -c '!./evil' a b`),
  'cp a b': lines(`
    cp a victim
    cp -t src a
    cp --target-directory=src a
    cp --backup a victim
    mv a victim
    ln -f a victim
    ln -s a new
    install a victim
    dd if=a of=victim status=none
    truncate -s 0 victim
    touch victim
    touch new
    mkdir new
    mkdir -p new/x
    mkfifo new
    mktemp -p . x.XXXX
    rm victim
    rm -rf src
    unlink victim
    chmod 777 victim
    shred -u victim
    split a
    split --filter=./evil a
    csplit -s a 1
    tee victim
    tee -a new
    tee a b victim`),
  env: lines(`
    env ./evil
    env -i ./evil
    env -S ./evil
    env -S./evil
    env --split-string=./evil
    env -C . ./evil
    env PATH=. evil
    xargs ./evil
    xargs -a a ./evil
    xargs --arg-file=a ./evil
    nice ./evil
    nohup ./evil
    timeout 5 ./evil
    time ./evil
    stdbuf -o0 ./evil
    setsid -w ./evil
    setarch -R ./evil
    linux64 ./evil
    ionice -c 3 ./evil
    chrt -o 0 ./evil
    taskset 1 ./evil
    flock a ./evil
    script -qc ./evil new
    strace ./evil
    strace -o victim pwd
    watch -g ./evil
    unshare ./evil
    chroot . ./evil
    busybox sh ./evil
    run-parts bin
    sh evil
    sh -c ./evil
    bash -c ./evil
    bash --rcfile evil -i
    bash --init-file evil -i
    dash ./evil
    . ./evil
    exec ./evil
    eval ./evil
    command ./evil
    trap ./evil EXIT
    ./evil
    "./evil"
    './evil' a
    ./ls
    bin/ls -l
    PATH=.:$PATH ls
    PATH=. ls
    ENV=./evil sh -i
    BASH_ENV=./evil bash -c pwd`),
  'cat a': lines(`
    cat a > victim
    cat a >victim
    cat a >> victim
    cat a >| victim
    cat < a > victim
    cat a 2> victim
    cat a | tee victim
    cat a; ./evil
    cat a & ./evil
    cat a && ./evil
    cat nowhere || ./evil
    cat $(./evil)
    cat "$(./evil)"
    cat \`./evil\`
    cat \${x:-$(./evil)}
    PATH=. cat
    ./cat a`),
  'grep needle a': lines(`
    grep needle a > victim
    grep needle a | ./evil
    grep needle a; ./evil
    grep "$(./evil)" a
    grep -e needle -f victim a > new
    zgrep needle a > victim`),
  'ls -la': lines(`
    ls > victim
    ls -la>victim
    ls; ./evil
    ls -la | ./evil
    ls {a,b} > victim
    ls $(./evil)
    ls -la;./evil
    ls() { ./evil; }; ls
    alias ls=./evil; ls
    { ./evil; }
    (./evil)
    ! ./evil
    if ./evil; then ls; fi`),
  'head -n 1 a': ['head a > victim', 'head -n $(./evil) a', 'head a | sh evil', 'head -n 1 a\n./evil', 'head -n 1 a #\n./evil'],
  'tail -n 1 a': ['tail a > victim', 'tail -n 1 a & ./evil', 'tail -n 1 a\n\n./evil', 'tail -n 1 "a\n"; ./evil'],
  'wc -l a': ['wc -l a > victim', 'wc -l $(./evil)', 'wc -l a || ./evil; ./evil', 'wc -l a \\\n; ./evil'],
  pwd: ['pwd > victim', 'pwd; ./evil', 'pwd && ./evil', 'pwd\n./evil', 'pwd\r\n./evil', 'pwd\t&\t./evil'],
};

function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}
