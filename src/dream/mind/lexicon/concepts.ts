/**
 * Words for the same thing, in English and Chinese, a line for each. A line is named by its first word. Only what can
 * stand for each other in a statement about people, projects and their tools is on one line: two memories that differ
 * in words of one line say the same. A word behind `!` says the opposite of its line.
 */
export const CONCEPTS = `
prefer favour favor like love enjoy fond keen fan preference choice preferred favorite favourite inclined partial 喜欢 偏好 偏爱 爱 热爱 倾向 倾向于 更喜欢 喜爱 青睐 最爱 !dislike !hate !detest !loathe !讨厌 !反感 !不喜欢 !厌恶
allow permit permitted accepted acceptable okay fine allowable 允许 可以 准许 容许 许可 !forbid !forbidden !prohibit !ban !disallow !banned !disallowed !禁止 !严禁 !不准 !不许 !杜绝
enable activate enabled turn-on turned-on switched-on switch-on 启用 开启 打开 激活 !disable !deactivate !turn-off !turned-off !switched-off !switch-off !停用 !禁用 !关闭 !关掉
require mandatory required obligatory compulsory necessary 必需 必要 需要 要求 强制 !optional !unnecessary !可选 !无需 !不必
deploy ship rollout deployment rolled 部署 发版
release launch golive publish 发布 上线 推出
write author compose draft 写 编写 撰写 书写 起草
answer reply respond response 回答 回复 答复 回应 答案
short brief concise terse succinct compact 简短 简洁 精简 简明 简练 扼要 精炼
long lengthy verbose detailed elaborate thorough 详细 冗长 详尽
begin start commence kickoff kick 开始 启动 开工
end conclude 结束 完结
complete done finish finished completed 完成 完毕 做完 搞定
fast quick rapid speedy 快 快速 迅速
slow sluggish 慢 缓慢
big large huge 大 庞大
small little tiny 小 微小
buy purchase acquire procure 购买 买 采购
fix repair mend resolve patch 修复 修好 解决 修正 修
bug defect fault 缺陷 故障 错误 漏洞 bug
ticket issue 工单 议题 issue
error failure exception 报错 异常 失败
show display present render 显示 展示 呈现
hide conceal 隐藏
delete remove erase drop purge 删除 移除 删掉 清除 去掉
add append include 添加 增加 新增 加入 加上
change modify alter edit adjust 修改 更改 变更 调整 改
create generate produce 创建 生成 制作 建立 新建
locate keep store save stored saved kept reside sit live found find housed based move relocate settle dwell host hosted 保存 存储 存放 存 放 位于 存于 放在 放到 住 住在 居住 定居 搬 搬到 搬家 搬去 搬至 迁居 家住 找到 托管 托管在 部署在
record log logged 记录 登记
send deliver dispatch submit 发送 发 寄 提交给
receive obtain 收到 接收 获得
session 会话
meeting meet sync 会议 开会 例会
standup daily 站会 早会 每日站会
review inspect reviewed reviewer 评审 审查 审核 审阅 复核
approve signoff approval approver 批准 审批 同意 签字
check verify validate confirm ensure 检查 验证 确认 核实 校验 核对
test tests testing spec 测试 测
unittest 单元测试 单测
integration 集成
repository repo codebase 仓库 代码库 代码仓库
branch 分支
merge merged 合并
squash 压缩合并
rebase 变基
commit commits 提交
pullrequest pr pull-request mergerequest mr 合并请求 拉取请求
document doc documentation docs documented 文档 资料
handbook guide guidebook 手册 指南 指引
runbook playbook 运维手册 操作手册
wiki 维基 知识库
diagram chart drawing 图表 示意图
dashboard panel board 看板 仪表盘 面板 大盘
server machine host box 服务器 主机 机器
service microservice 服务 微服务
database db datastore 数据库
table 数据表
backup backups back-up backed-up 备份
code source-code 代码 源代码 源码
latency lag 延迟 时延
rotate rotation 轮换 轮值 轮班
restore recover 恢复 还原
cache caching cached 缓存
queue 队列
environment env 环境
production prod live-environment 生产 线上 生产环境 线上环境 正式环境 prod
staging preprod pre-production 预发 预发布 预发环境 预发布环境 预生产 staging
development dev 开发 开发环境 研发
local locally localhost 本地
cloud 云 云端 云平台 云服务商 云服务
port 端口 端口号
address url link 地址 网址 链接 入口
version 版本 版本号
frontend front-end client-side 前端
backend back-end server-side 后端 服务端
mobile 移动端 手机端
website site webpage 网站 官网 站点
customer client 客户 甲方
vendor supplier provider 供应商 服务商 提供商 厂商 厂家
partner 合作伙伴 合作方
colleague coworker teammate 同事 队友
manager supervisor boss 经理 上司 老板 主管 领导
lead leader head 负责人 组长 领队 牵头人
responsible own ownership maintain maintainer handle look-after looks-after looked-after in-charge takes-care take-care 负责 维护 管 归 接管 掌管
contact reach liaison point-of-contact 联系人 联系 对接人 接口人
oncall on-call duty 值班
engineer developer programmer coder 工程师 开发者 程序员 开发人员
designer 设计师
wife spouse husband partner-in-life 妻子 老婆 丈夫 老公 爱人 配偶 太太
child kid children 孩子 小孩 子女
daughter 女儿
son 儿子
mother mom mum 妈妈 母亲
father dad 爸爸 父亲
brother 哥哥 弟弟 兄弟
sister 姐姐 妹妹
employer company firm employ works-for work-for employed-by 公司 雇主 单位 东家 就职
job profession occupation work-as career role position title 职业 职位 岗位 职务 头衔
office 办公室
home house 家
birthday born birth 生日 出生 诞辰
name call nickname named dub 名字 姓名 称呼 叫 名叫 名为 昵称 叫做 名称
codename code-name 代号
age 年龄
timezone time-zone tz 时区
deadline due cutoff due-date 截止 截止日期 截止时间 期限 最后期限 deadline ddl
schedule plan timetable 计划 安排 日程 排期
roadmap 路线图
budget spending 预算 经费
cost price expense fee 费用 成本 价格 开销 价钱
limit cap maximum ceiling max quota upper-bound threshold 限制 上限 最大 限额 阈值 配额
minimum floor lower-bound 下限 最小 最低 最少
timeout time-out 超时 超时时间
interval frequency 间隔 频率 周期
retention 保留期
rate 速率 速度
size 大小 尺寸
color colour 颜色 配色 色
theme 主题
dark darkmode 深色 暗色 暗黑 黑暗
light lightmode 浅色 亮色 明亮
font typeface 字体
indent indentation 缩进
tab tabs 制表符 tab tab键
space spaces 空格
quote quotation 引号
semicolon 分号
comment comments 注释
comma commas 逗号
type types typing 类型
variable variable-name variable-names 变量 变量名 变量名称
strict 严格
lint linter linting 代码检查
format formatter formatting 格式 格式化
editor ide 编辑器
shell terminal 终端 命令行
browser 浏览器
os operating-system 操作系统
packagemanager package-manager 包管理器 包管理工具
dependency library package 依赖 库 包 依赖库 第三方库
framework 框架
language 语言 编程语言
key 键 密钥
password passphrase credential 密码 凭据 凭证 口令
vault secret-store 保险库
email e-mail mail 邮件 邮箱 电子邮件
message 消息 信息
chat 聊天
channel 频道 群
newsletter 简报 周报
report 报告 报表
weekly 每周 每星期
daily-basis everyday day-by-day 每天 每日 天天
monthly 每月 每个月
nightly night 每晚 夜间 夜里 晚上
hourly 每小时
yearly annually annual 每年
biweekly fortnightly 两周一次 双周 每两周
morning 早上 上午 早晨
afternoon 下午
evening 傍晚
noon midday 中午
weekend 周末
holiday vacation leave 假期 休假 度假 放假
travel trip journey 旅行 出差 旅游 行程
eat eating food diet meal 吃 饮食 食物
drink beverage 喝 饮料
coffee 咖啡
tea 茶
vegetarian 素食 吃素 素食者 素食主义者
vegan 纯素
allergic allergy 过敏
meat 肉
sport exercise workout gym 运动 锻炼 健身
run-sport jog running 跑步 慢跑
swim 游泳
bike cycle bicycle 骑车 自行车 骑行
car drive 车 开车 汽车
train 火车
book 书
music 音乐
cat 猫
dog 狗
learn study 学习 学
teach train-others mentor 教 指导 培训 辅导
explain clarify describe 解释 说明 讲解 阐述
example sample instance 例子 示例 样例
question ask 问题 提问 问
step 步骤
summary summarise summarize overview recap 总结 摘要 概要 概述
list bullet bullets 列表 清单 要点
rule guideline policy principle 规则 规范 准则 政策 原则
style convention 风格 约定 惯例
pattern 模式
architecture 架构
design 设计 设计稿
mockup prototype 原型
feature functionality function 功能 特性
flag toggle switch-flag 开关
config configuration setting configure settings 配置 设置 设定
migration migrate 迁移
upgrade update bump 升级 更新
monitor watch monitoring observe 监控 监测 监视
alert alarm notification notify 告警 警报 报警 通知
incident outage 事故 故障事件
log-file logs 日志
trace tracing 追踪 链路
metric metrics 指标
invoice bill billing 发票 账单 计费
payment pay 支付 付款 收款
order 订单
user-account account 账户 账号 帐号
login sign-in signin authenticate authentication auth 登录 认证 鉴权 登陆
permission authorization 权限
security 安全
encrypt encryption 加密
token 令牌
certificate cert 证书
domain 域名
network 网络
proxy 代理
gateway 网关
listen 监听
reader 阅读器 阅读
sign signature 签署 签名
expire 过期 失效
api interface endpoint 接口 api
request 请求
webhook 回调
script 脚本
command 命令 指令
pipeline workflow ci 流水线 工作流 持续集成
image container docker 镜像 容器
cluster 集群
region area zone 区域 地区 可用区
data dataset 数据 数据集
file 文件
folder directory 文件夹 目录
path 路径
column field 字段 列
row line 行
screen monitor-screen display-screen 屏幕 显示器
keyboard 键盘
laptop notebook computer pc 笔记本 电脑
phone 手机 电话
license licence 许可证 许可
contract agreement 合同 协议
legal lawyer 法务 律师
finance accounting 财务
marketing 市场
sales 销售
hr recruiting hiring 招聘 人事
support helpdesk 客服 支持
school university college 学校 大学
translate translation 翻译
chinese mandarin 中文 汉语 普通话
english 英文 英语
german 德语 德文
french 法语 法文
japanese 日语 日文
spanish 西班牙语 西语
important crucial critical essential vital 重要 关键 要紧
urgent 紧急
simple easy plain straightforward 简单 容易
difficult hard tricky complex complicated 困难 难 复杂
new fresh 新 全新
old legacy former 旧 老 遗留
initial 首个
last final 最后 最终
main primary principal chief major 主要 主 首要
default standard 默认 缺省 标准
shared common 共享 公共 共用
private internal 私有 内部
public external publicly 公开 外部
free 免费
paid 付费
async asynchronous asynchronously 异步
sync-mode synchronous synchronously 同步
manual-mode manually by-hand hand 手动 手工 人工
automatic automatically automated auto 自动 自动化
before prior ahead first beforehand 之前 以前 先 首先
after following 之后
during 期间
mock mocks mocking stub fake 模拟 mock 打桩
real actual genuine 真实 实际 真正
explicit explicitly 显式 明确
implicit 隐式
abbreviation abbreviate acronym 缩写 简写
emoji emojis emoticon 表情 表情符号 emoji
joke humor humour 玩笑 幽默
polite formal 正式 礼貌
casual informal 随意 非正式
direct straight blunt 直接 直白 直截了当
second sec secs 秒 秒钟
millisecond ms msec 毫秒
minute min mins 分钟
hour hr hrs 小时 钟头
day 天 日
week wk 周 星期 个星期
month 个月 月
year yr 年
percent 百分之
person-count people-count 人
gigabyte gb
megabyte mb
kilobyte kb
metric-unit metric-system celsius 公制 摄氏
`

/** Words of one sort, of which something has one at a time. The name of a sort also counts as a word for it. */
export const SORTS = `
packagemanager npm pnpm yarn bun
pythonpackages pip poetry uv pipenv conda
editor vim neovim nvim emacs vscode vs-code jetbrains intellij zed helix cursor sublime webstorm pycharm nano
shell bash zsh fish powershell nushell
os linux macos windows ubuntu debian fedora arch nixos
browser firefox chrome safari edge brave
indent tab space 制表符 空格
database postgres postgresql mysql mariadb sqlite oracle sqlserver mssql cockroachdb mongodb dynamodb
cache redis memcached valkey
queue kafka rabbitmq sqs nats pulsar
ci jenkins circleci github-actions gitlab-ci travis buildkite teamcity drone
cloud aws gcp azure hetzner digitalocean 阿里云 腾讯云 华为云
tracker jira linear trello asana youtrack redmine 禅道 tapd
chat slack discord teams mattermost zulip 飞书 钉钉 企业微信
codehost github gitlab bitbucket gitea gitee
docs notion confluence 语雀 石墨 obsidian
design figma sketch miro 蓝湖 墨刀 即时设计
monitor grafana datadog newrelic kibana splunk prometheus
payment stripe adyen paypal braintree 支付宝 微信支付
webframework react vue svelte angular solid
styling tailwind bootstrap
testrunner jest vitest mocha pytest unittest ava
bundler webpack vite rollup esbuild parcel turbopack
orm prisma drizzle typeorm sequelize sqlalchemy
linter eslint biome tslint flake8 ruff pylint
formatter prettier black dprint gofmt
theme dark light
length short long
quotes single double 单引号 双引号
mergestyle squash rebase merge
synchronicity async sync-mode
handling automatic manual-mode
cadence daily-basis weekly monthly nightly hourly yearly biweekly
container docker podman
infra terraform pulumi cloudformation ansible
licence mit apache gpl bsd mpl agpl
replylanguage english chinese german french spanish japanese
api rest graphql grpc soap
auth oauth saml ldap oidc
passwords 1password bitwarden lastpass keepass
video zoom meet-google webex 腾讯会议
temperature celsius fahrenheit
diet vegetarian vegan pescatarian omnivore
casing camelcase snakecase kebabcase pascalcase
visibility public private
price free paid
keyboardlayout qwerty dvorak colemak qwertz
typescript javascript typescript
repolayout monorepo polyrepo multirepo
`
